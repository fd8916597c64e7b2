/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written by po/extract-data, never compiled: the texts of the experiments, for xgettext.
 */
#define N_(text) text

/* copy-at-random: title */
N_("To copy or not, at random places")
/* copy-at-random: summary */
N_("Writes the chunks of a file at random places, each once, and reads them back in that order: from the caller's memory, through a buffer, locked, registered, and past the page cache.")
/* copy-at-random: learn[0] */
N_("As “To copy or not”, but chunk after chunk lies at another place of the file, in an order that depends on the seed and is the same for all strategies. A library that keeps a buffer of its own must give it up at each jump.")
/* copy-at-random: learn[1] */
N_("In the page cache the order does not matter. It does on a disk that turns, and for a file system that has to find room for blocks which are not written one after the other.")
/* copy-at-random: strategies[7].label */
N_("copy.direct, cold")
/* copy-at-random: strategies[8].label */
N_("copy.memcpy, cold")
/* copy-at-random: strategies[9].label */
N_("copy.bytes, cold")
/* copy-at-random: presets[0].title */
N_("64M in chunks of 64K to 8M")
/* copy-or-not: title */
N_("To copy or not")
/* copy-or-not: summary */
N_("Writes a file of 320M in chunks of 8M and reads it back: from the caller's memory, through a buffer, locked, registered, and past the page cache.")
/* copy-or-not: learn[0] */
N_("Bytes that a program writes are its own until the kernel has copied them into the page cache, or a device has fetched them. What a language's library adds to that is the question here: Lisp of 2009 could not hand out the address of an object that its collector may move, so each byte went through a buffer at a fixed place, one by one, on its way out and on its way in.")
/* copy-or-not: learn[1] */
/* xgettext:no-c-format */
N_("The article's C program took 0.73 to 0.86 s for writing and reading 320 MB, next to nothing of it in the program itself. The copying one took 1.7 s of user time more. Its profile had 93 % of all samples in the copy. How long it took altogether, 2.7 s once and 7.6 s the other time, says more about the disk cache than about copying: so look at user and system time, and have the profile taken, which shows the copy by its name.")
/* copy-or-not: learn[2] */
N_("Today copying byte by byte is as dear as it was, but nobody has to do it: memcpy() moves many GB a second, and through the page cache a second copy by memcpy() makes the whole about half as long again where the file is in memory already (2 cores, virtual disk, kernel 6.18, measured 2026-11: 1 to 1.5; copied byte by byte 1 to 8). The lines marked “cold” read the file back from the device: what is copied then hides behind the waiting, and shows in the CPU time. With O_DIRECT the kernel does not copy at all, the device is what takes the time, and a copy by memcpy() shows in the CPU time only. Locking memory for each transfer costs little for memory that is there; registering it once with io_uring saves the looking up of pages, which shows with O_DIRECT and large chunks.")
/* copy-or-not: learn[3] */
N_("Locked and registered memory count against a limit of each user (“ulimit -l”), 8M on many systems: where it is in the way, the strategy says so. The article's advice to the language's makers was to lock the memory and to spare the copy.")
/* copy-or-not: strategies[7].label */
N_("copy.direct, cold")
/* copy-or-not: strategies[8].label */
N_("copy.memcpy, cold")
/* copy-or-not: strategies[9].label */
N_("copy.bytes, cold")
/* copy-or-not: presets[0].title */
N_("320M in chunks of 8M, as in the article")
/* copy-or-not: presets[1].title */
N_("64M in chunks of 64K to 8M")
/* copy-or-not: overlay.title */
N_("320 MB in 2009")
/* copy-or-not: overlay.labels[0] */
N_("C")
/* copy-or-not: overlay.labels[1] */
N_("Lisp, copying")
/* count-a-letter: title */
N_("Count a letter")
/* count-a-letter: summary */
N_("Reads a text file and counts one letter in it, in every way there is: by character, in blocks, as a whole, and with two buffers while the disk goes on.")
/* count-a-letter: learn[0] */
N_("The job is as plain as can be: read a text file and count one letter. Two parts of the machine are needed for it, the disk and the processor, and the question is whether they work in turns or at the same time.")
/* count-a-letter: learn[1] */
N_("A program that reads a block, counts in it and then reads the next lets the disk rest while it counts, and waits itself while the disk works: both times add up. With two buffers the disk fills one while the processor counts in the other, and the whole takes about as long as the slower of the two. On the PowerMac 7100/66 of the article, with its disk cache of 32K, nobody did this for the program. Two small buffers and asynchronous reads took about two thirds of the time of blocking reads, and were as fast as reading the whole file at once, which needs memory for all of it. Taking one character at a time from the C library was slowest by far: a call for each byte costs more than the counting.")
/* count-a-letter: learn[2] */
N_("Today the kernel does it unasked. While a program reads a file in order through the page cache, readahead already fetches what comes next, so that a plain read with a block of 64K hides most of the disk's time, and asynchronous reads of the same cached file gain little. A mapped file behaves alike. Watch the strategies without “direct”: apart from those that call a function for each character, they lie close together.")
/* count-a-letter: learn[3] */
N_("The effect comes back where the page cache is bypassed. A direct read (O_DIRECT) goes from the disk into the program's own buffer, nobody reads ahead, and a blocking program waits for each block. Two buffers of 1M to 4M on huge pages, filled by io_uring, libaio or a reader thread, counted a file of 2G about 1.6 times as fast as blocking direct reads (2 cores, virtual disk, kernel 6.18, measured 2026-11). More than two buffers gave nothing: once the disk is never idle, there is nothing left to gain. Choose the preset “today” to see it; files of a few thousand K are read in milliseconds, and starting up weighs as much as reading.")
/* count-a-letter: learn[4] */
N_("There must be work to hide. With the work “fast”, which counts with vector instructions at many GB a second, the processor needs next to no time, and all ways of direct reading take as long as the disk does. The same holds for a warm cache: without a disk to wait for, two buffers only cost.")
/* count-a-letter: strategies[5].label */
N_("posix.read, direct")
/* count-a-letter: strategies[6].label */
N_("thread.double-buffer, direct")
/* count-a-letter: strategies[7].label */
N_("uring.wait, direct")
/* count-a-letter: strategies[8].label */
N_("libaio.wait, direct")
/* count-a-letter: strategies[19].label */
N_("thread.double-buffer, cached")
/* count-a-letter: strategies[20].label */
N_("uring.wait, cached")
/* count-a-letter: strategies[21].label */
N_("libaio.wait, cached")
/* count-a-letter: presets[0].title */
N_("The article's sizes: 1000K to 5000K")
/* count-a-letter: presets[1].title */
N_("Today's sizes: 64M to 2G, blocks of 1M")
/* count-a-letter: presets[2].title */
N_("Overlap: 256M, blocks of 1M")
/* count-a-letter: overlay.title */
N_("PowerMac 7100/66")
/* count-a-letter: overlay.labels[0] */
N_("C library, by character")
/* count-a-letter: overlay.labels[1] */
N_("blocking read")
/* count-a-letter: overlay.labels[2] */
N_("two buffers, asynchronous")
/* fwrite-strategies: title */
N_("How fwrite should write")
/* fwrite-strategies: summary */
N_("Writes a new file of 8M with so many bytes in each call, in every way in which a C library may pass them on: through its buffer, in blocks, or all at once from the caller's memory.")
/* fwrite-strategies: learn[0] */
N_("A program gives fwrite() some bytes, and the C library decides what the system gets to see. It can copy every byte into its buffer and write the buffer whenever it is full. It can fill the buffer up to a block's border, hand all whole blocks to the system with one call from the caller's memory, and keep only the rest. Or it does the same with one call for each block. What is written is the same in all cases; what differs is how often the system is asked, for how much, and how often bytes are copied.")
/* fwrite-strategies: learn[1] */
N_("The article tried the three on a RiscPC with RISC OS, on five file systems. On its local disk (ADFS) nothing changed: 8M took 7.5 seconds whatever was done. On another (ATAFS) and in memory (RAMFS) one call for 8M took a third and a quarter of the time that single bytes took; with calls of 5K there was little to gain on the disk. Over the network (NFS) one call for 8M took half of the time, since the file system then had several packets under way at once, while one call for each block won next to nothing. And such a call had its price there: the desktop stood still until it was done.")
/* fwrite-strategies: learn[2] */
N_("Today the page cache stands between a call and the disk, so that every file system looks like RAMFS: what is measured is copying and calling. On ext4 single bytes took about 24 times as long as one large call, blocks of 4K about 5 times, blocks of 32K less than twice (2 cores, virtual disk, kernel 6.18, measured 2026-11). The time until the bytes are on stable storage is given beside it: measured to that point, the disk's part is the same for all, and the differences shrink. With O_DSYNC or O_DIRECT each call waits for the device, and the size of a call decides nearly everything.")
/* fwrite-strategies: learn[3] */
N_("Two things are new. A call that begins at an odd place in the file costs up to twice as much on file systems that keep large pages together (ext4, xfs); the option “start” writes a few bytes first, and shows it; in memory (tmpfs) it makes no difference. And glibc's own fwrite() with its buffer of 4K turns each 32K that it gets into two calls, of 4K and of 28K: setvbuf() with 32K, the article's advice, still helps.")
/* fwrite-strategies: learn[4] */
N_("Filling the buffer with memcpy() instead of byte by byte made no difference then, since few bytes go that way. It does today where a call gives less than a block, for then all of them do. Where a strategy's figures lie within each other's intervals, there is nothing to choose: that is a result, too.")
/* fwrite-strategies: strategies[7].label */
N_("fwrite.memcpy-align, blocks")
/* fwrite-strategies: strategies[8].label */
N_("fwrite.bulk, 3 bytes first")
/* fwrite-strategies: strategies[9].label */
N_("fwrite.bulk, buffer of 32K")
/* fwrite-strategies: strategies[10].label */
N_("fwrite.blocks, buffer of 32K")
/* fwrite-strategies: strategies[11].label */
N_("fwrite.bulk, fdatasync")
/* fwrite-strategies: strategies[12].label */
N_("fwrite.bulk, O_DSYNC")
/* fwrite-strategies: strategies[13].label */
N_("fwrite.libc, fdatasync")
/* fwrite-strategies: strategies[14].label */
N_("fwrite.libc, O_DSYNC")
/* fwrite-strategies: strategies[16].label */
N_("write.uring, direct")
/* fwrite-strategies: presets[0].title */
N_("The article's calls: 5K, 32K, 8M")
/* fwrite-strategies: presets[1].title */
N_("Calls of 16 bytes to 8M")
/* fwrite-strategies: presets[2].title */
N_("A file of 512M")
/* fwrite-strategies: overlay.title */
N_("RiscPC")
/* fwrite-strategies: overlay.labels[0] */
N_("ADFS, putc")
/* fwrite-strategies: overlay.labels[1] */
N_("ADFS, bulk")
/* fwrite-strategies: overlay.labels[2] */
N_("ADFS, blocks")
/* fwrite-strategies: overlay.labels[3] */
N_("RAMFS, putc")
/* fwrite-strategies: overlay.labels[4] */
N_("RAMFS, bulk")
/* fwrite-strategies: overlay.labels[5] */
N_("RAMFS, blocks")
/* fwrite-strategies: overlay.labels[6] */
N_("ATAFS, putc")
/* fwrite-strategies: overlay.labels[7] */
N_("ATAFS, bulk")
/* fwrite-strategies: overlay.labels[8] */
N_("ATAFS, blocks")
/* fwrite-strategies: overlay.labels[9] */
N_("NFS, putc")
/* fwrite-strategies: overlay.labels[10] */
N_("NFS, bulk")
/* fwrite-strategies: overlay.labels[11] */
N_("NFS, blocks")
/* give-time-away-writing: title */
N_("Give time away, writing")
/* give-time-away-writing: summary */
N_("What another program loses while a file is written: how late it is woken, by strategy and by the size of a call.")
/* give-time-away-writing: learn[0] */
N_("The article about fwrite() found one large call the fastest and warned of it in the same breath: while 8M were on their way nobody else had the processor, and the desktop stood still. A call for each block took longer and let others in between.")
/* give-time-away-writing: learn[1] */
N_("The neighbour is that other program: it wants to be woken at each whole millisecond, and shares one processor with the strategy, as then. Its lateness is drawn against the size of a call. The experiment “Stop now” asks the other half of the question, how long such a call cannot be stopped.")
/* give-time-away-writing: learn[2] */
N_("Today the kernel takes the processor away from a copy of many megabytes as from any other work. On a virtual machine of two cores (kernel 6.18, six repetitions, nothing else beside, measured 2026-12) the neighbour's lateness beside writing through the page cache was 2 to 7 ms (99th percentile), from calls of 32K to calls of 64M, and it lost 48 to 52 per cent of its work: the half that the strategy took. Direct writing waits asleep for the device, and so the size of its calls decides: the neighbour lost 49 per cent with calls of 32K, 23 with 1M, 3 with 8M and nothing with 64M, since each call costs it the same 70 µs. Look at the column “alone” first: without any strategy the lateness was 0.1 to 1 ms. Only what lies clearly above it is the strategy's.")
/* give-time-away-writing: strategies[1].label */
N_("fwrite.blocks, buffer of 32K")
/* give-time-away-writing: strategies[3].label */
N_("write.direct")
/* give-time-away-writing: presets[0].title */
N_("Calls of 32K to 64M")
/* give-time-away-writing: presets[1].title */
N_("Calls of 32K and 8M, fewer repetitions")
/* give-time-away: title */
N_("Give time away")
/* give-time-away: summary */
N_("What another program loses while a file is read: how late it is woken, by strategy and block size.")
/* give-time-away: learn[0] */
N_("A program is never alone. Whoever spins on a result field, or sits in one long call, takes from the others; whoever sleeps until the disk is ready leaves them the processor. On the systems of the articles nothing but good manners decided: there was one processor, and a program that did not give it away had it. A whole file written by one call meant a desktop that stood still.")
/* give-time-away: learn[1] */
N_("The neighbour is that other program. It is a process of its own with two threads. One asks to be woken at every whole millisecond, and it is written down how late that was; the other works without a pause, and it is counted how much it got done. First both do so alone for a fifth of a second, then beside the strategy. A neighbour that was kept waiting for 50 ms has missed 50 moments, and all of them count.")
/* give-time-away: learn[2] */
N_("Here strategy and neighbour share one processor, as on the articles' machines. With more processors than programs the neighbour would see nothing: choose “on any processor” to see that too. The neighbour takes its share from the strategy as well, so elapsed times beside a neighbour are not comparable with others.")
/* give-time-away: learn[3] */
N_("Today the kernel shares the processor out by the clock, so nobody starves: two programs that both want all of it get half each, and the one that is woken gets its turn after a few milliseconds. What is left of the articles' effect is this. Whoever spins takes its half with blocks of any size: on a virtual machine of two cores (kernel 6.18, six repetitions, nothing else beside, measured 2026-12) the neighbour lost 47 to 62 per cent of its work. Whoever waits asleep takes only what its requests cost, and so the size of the block decides: the neighbour lost 50 per cent with blocks of 64K, 25 to 29 with 1M, 2 to 6 with 8M and nothing with 64M. Each request costs the neighbour a call, an interrupt and two changes of program, there 70 µs together (40 with two requests in flight), however many bytes it brings. Through the page cache a copy is added that no block size saves (24 to 47 per cent lost). Long calls show only where the kernel does not let go in their midst, which it does for ordinary files. Lateness also grows with whatever else the machine is doing; the column “alone” says how much of it was there before.")
/* give-time-away: strategies[0].label */
N_("posix.read, direct")
/* give-time-away: strategies[1].label */
N_("uring.wait, direct")
/* give-time-away: strategies[2].label */
N_("uring.spin, direct")
/* give-time-away: strategies[3].label */
N_("aio.spin, direct")
/* give-time-away: strategies[4].label */
N_("posix.read, cached")
/* give-time-away: strategies[5].label */
N_("posix.whole-file, cached")
/* give-time-away: presets[0].title */
N_("Blocks of 64K to 64M")
/* give-time-away: presets[1].title */
N_("Blocks of 64K and 8M, fewer repetitions")
/* interrupt-rate: title */
N_("How many interrupts a second")
/* interrupt-rate: summary */
N_("Asks to be woken 64 to 100,000 times a second, in five ways. How many wake-ups come, how late, and from which rate on are some lost?")
/* interrupt-rate: learn[0] */
N_("A program that steers a motor or reads an instrument must be there each time the hardware calls: a thousand times a second, without missing one. The article's laboratory found that 500 interrupts a second were more than the desktop systems of its day could follow, that stepper motors and mass spectra want 1,000, and that a driver under OS/2 took 3,000.")
/* interrupt-rate: learn[1] */
N_("Each line asks for the same events. “tick.timerfd” and “tick.posix-timer” let a timer of the kernel run; it counts what expired while the program had not come back. “tick.nanosleep” asks for each moment anew. “tick.spin” does not sleep at all. “tick.rtc” waits for the periodic interrupts of the real-time clock, a device with a driver as in the article, though today’s kernel makes them with a timer of its own; it knows powers of two up to 8192 Hz, and for the device, or for more than 64 Hz, the kernel wants a privilege that is asked for before the run.")
/* interrupt-rate: learn[2] */
N_("An event counts as delivered when the program was woken for it, as late when that was more than half a period after it was due, and as missed when the next one was due already: the two come as one. The table shows how late the events were, a missed one as late as the next wake-up came (left out, it would make a line look better), and for each line the highest rate of this sweep with fewer than one in a thousand missed.")
/* interrupt-rate: learn[3] */
N_("At low rates every way delivers everything, and the difference is in the lateness: some 50 µs of it are the system's own doing. It may put off the wake-ups of ordinary programs a little so that several come together (timer slack). The option “slack” of a strategy makes that smaller, and real-time scheduling has none.")
/* interrupt-rate: learn[4] */
N_("At high rates the limit is the way through the kernel: an interrupt, a switch to the program, and back to sleep take ten to twenty microseconds, more in a virtual machine. Only the busy loop goes beyond, and pays for it with a whole processor.")
/* interrupt-rate: learn[5] */
N_("Other programs make a difference too. On a machine that has nothing else to do, ordinary scheduling looks as good as real-time scheduling; start something heavy beside it, and only the option “scheduling” with “realtime” keeps its rate. It needs a permission, and is bounded here: a loop that never waits is put back to ordinary scheduling after a quarter of a second.")
/* interrupt-rate: strategies[5].label */
N_("tick.nanosleep, real-time")
/* interrupt-rate: strategies[6].label */
N_("tick.timerfd, real-time")
/* interrupt-rate: strategies[7].label */
N_("tick.nanosleep, least slack")
/* interrupt-rate: presets[0].title */
N_("64 Hz to 100 kHz")
/* interrupt-rate: presets[1].title */
N_("The article's rates: 500 Hz, 1 kHz, 3 kHz")
/* interrupt-rate: overlay.title */
N_("The article")
/* interrupt-rate: overlay.labels[0] */
N_("falls behind elsewhere, 500 Hz")
/* interrupt-rate: overlay.labels[1] */
N_("needed, 1 kHz")
/* interrupt-rate: overlay.labels[2] */
N_("OS/2, 3 kHz")
/* overlap-bound: title */
N_("Close to the bound")
/* overlap-bound: summary */
N_("A disk as fast as the counting, and two buffers: how near reading and counting come to the time that the slower of the two needs alone.")
/* overlap-bound: learn[0] */
N_("Reading and counting can hide each other's time, but neither can be hidden from itself. The least that a run can take is the larger of two times: what reading takes when nothing is counted, and what counting takes when nothing is read, plus what reading costs the processor. Overlap measures both beside each strategy and draws the bound into the chart.")
/* overlap-bound: learn[1] */
N_("Hiding is hardest where both times are the same: each rest of the one shows at once in the whole. Here the disk is simulated, and its rate chosen so that the disk and the work “slow” took about as long as each other on the machine where this experiment was made: 11.5 MB a second, 100 µs for each request. On another machine, give the simulated disk the rate at which the line “computing alone” ran.")
/* overlap-bound: learn[2] */
N_("Two buffers of 64K are enough. The first block must be there before counting can begin, and the last is counted after the disk has ended: a 64th part of the file each, about 1.5 per cent. Smaller blocks make that part smaller, and pay the disk's 100 µs more often; larger blocks leave more at both ends. The preset with block sizes shows both. More buffers change nothing: while the disk is never idle, there is nothing left to gain.")
/* overlap-bound: learn[3] */
N_("On 2 processors (AMD EPYC, kernel 6.18, 2026-12) libaio and io_uring took 1.02 times the bound with 64K and two buffers, a thread of its own for reading 1.01 times, and a read that waits for each block nearly twice the bound.")
/* overlap-bound: strategies[0].label */
N_("one buffer, blocking")
/* overlap-bound: strategies[1].label */
N_("two buffers, reader thread")
/* overlap-bound: strategies[2].label */
N_("two buffers, libaio")
/* overlap-bound: strategies[3].label */
N_("two buffers, io_uring")
/* overlap-bound: presets[0].title */
N_("4M, blocks of 64K")
/* overlap-bound: presets[1].title */
N_("4M, blocks of 4K to 1M")
/* overlap-bound: presets[2].title */
N_("4M, one to eight buffers")
/* port-or-gate: title */
N_("Direct, or through the gate")
/* port-or-gate: summary */
N_("Reads a piece of hardware a million times: with one instruction, by a call that stays in the program, and through the kernel. What does the gate cost?")
/* port-or-gate: learn[0] */
N_("A program that wants something of a device usually asks the kernel: it goes through a gate into privileged code, a driver does the access, and the processor changes back. The access itself may be one instruction; the way there and back is hundreds.")
/* port-or-gate: learn[1] */
N_("The article's programs ran under OS/2. A million port instructions through a gate into the kernel took 3 seconds on a Pentium Pro; with the privilege given to the thread itself, so that it could use IN and OUT, they took 1 second. It adds that the privilege is to be taken back right after.")
/* port-or-gate: learn[2] */
N_("Ports are closed today on most machines, and their bus is slow: an access to one still takes about as long as it did then. But every processor has hardware that each program may read: its time-stamp counter. “counter.tsc” reads it with one instruction. “counter.vdso” asks the C library for the time, which the kernel lets a program compute by itself from that counter. “counter.syscall” asks for the same time by a real system call. All three end in the same register. What differs is the way.")
/* port-or-gate: learn[3] */
N_("“counter.rdpmc” and “counter.perf-read” are the pair of the article in today's form: a performance counter that the kernel has set up once and lets the program read, and the same kind of counter read through file layer and driver. Many virtual machines have no such counter; read() is then given one that the kernel keeps in software, and the result says so.")
/* port-or-gate: learn[4] */
N_("The “port” lines are the article's own ways: IN and OUT after ioperm() or iopl(), /dev/port as the gate, /dev/parport0 as the driver. They need a privilege that is asked for before the run, and a kernel that has them. Where they cannot run, the cause is shown.")
/* port-or-gate: learn[5] */
N_("A line that is ten times faster saves nothing where a program reads the clock once in a while: a gate of a quarter of a microsecond, or of one or two inside a virtual machine, is lost beside anything that waits for a disk. It decides where the access is the work: time stamps around small pieces of code, devices polled in a loop, samples a million times a second.")
/* port-or-gate: learn[6] */
N_("A fence makes the difference smaller. The processor may read the counter before the instructions in front of it are done. Where the moment counts, a fence or the instruction that waits is needed, and takes about as long again. The lines with “lfence” and “rdtscp” show it.")
/* port-or-gate: strategies[1].label */
N_("counter.tsc, lfence")
/* port-or-gate: strategies[2].label */
N_("counter.tsc, rdtscp")
/* port-or-gate: presets[0].title */
N_("The article's job: 1,000,000 accesses")
/* port-or-gate: presets[1].title */
N_("100,000 accesses, for slow hardware")
/* port-or-gate: presets[2].title */
N_("1,000,000 accesses that write: ports alone")
/* port-or-gate: presets[3].title */
N_("1,000,000 accesses of two bytes: ports alone")
/* port-or-gate: overlay.title */
N_("OS/2, Pentium Pro 200")
/* port-or-gate: overlay.labels[0] */
N_("privilege given to the thread")
/* port-or-gate: overlay.labels[1] */
N_("through the gate")
/* positions: title */
N_("Where to read next")
/* positions: summary */
N_("Reads blocks one behind the other or anywhere in a file, by calls that carry a position of their own and by calls that need it to be moved before.")
/* positions: learn[0] */
N_("The article's file system took a position with every call: from the file's beginning, from its end, or relative to where the last call had stopped. C's standard library keeps one position for each stream, which must be moved before the call. On Linux both are there: pread() says where, lseek() and read() move first. io_uring says where, as pread() does.")
/* positions: learn[1] */
N_("Moving costs a system call and nothing else: no disk is touched by it. So the difference shows where reading itself is cheap, with small blocks in the page cache; where a device is waited for, it vanishes. At random places in the page cache lseek() and read() took 1.7 times as long as pread() with blocks of 512 bytes or 4K, and 1.2 times as long with 64K (2 cores, kernel 6.18, ten repetitions beside other work, measured 2026-12). With several threads there is another one, which is not measured here: a position that is shared must be locked.")
/* positions: learn[2] */
N_("What does count on a device is where the next block lies. On the disks of the articles a seek took as long as reading tens of kilobytes, and on today's solid ones the system can read ahead only of what comes in order. The line “cold” of the first preset shows the latter: a block of 4K that was in no cache took 7 µs in order, 12 µs in strides of 1M, but 222 µs backward and 255 µs anywhere (virtual disk, kernel 6.18, three repetitions beside other work, measured 2026-12). So the system reads ahead in strides too, once a round comes by where the one before left its pages; it does not do so backward. Choose a simulated disk to see the former.")
/* positions: strategies[1].label */
N_("posix.pread, cold")
/* positions: strategies[3].label */
N_("posix.lseek-read, relative")
/* positions: strategies[4].label */
N_("posix.lseek-read, from the end")
/* positions: strategies[7].label */
N_("posix.pread, direct")
/* positions: strategies[8].label */
N_("posix.lseek-read, direct")
/* positions: presets[0].title */
N_("Four orders, blocks of 4K")
/* positions: presets[1].title */
N_("One behind the other, blocks of 512 bytes to 64K")
/* positions: presets[2].title */
N_("Anywhere, blocks of 512 bytes to 64K")
/* sampling-rate: title */
N_("How many samples a second")
/* sampling-rate: summary */
N_("Polls a counter, a port or a register at 1 kHz to 10 MHz and takes a sample at each moment that is due. How far from the moment, how many gaps, and how long are they?")
/* sampling-rate: learn[0] */
N_("Interrupts have their limit at some thousand a second. Whoever needs more looks by himself: reads the port in a loop and takes the value when its time has come. The article's program came near to a million samples a second with direct port access.")
/* sampling-rate: learn[1] */
N_("The loop here reads a counter of the processor, in three ways: with one instruction, by the clock of the C library, and by a system call. “sample.port” reads a port as the article did, with IN after ioperm(), and “sample.port-gate” the same port through the kernel; “sample.hpet” reads a register of a device that is mapped into the program. They need a privilege that is asked for before the run, and a machine that has them: an access to a port or a register goes out to the device and takes about a microsecond, so that a million samples a second is still near the end of what can be had. The first reading at or after the moment that is due is the sample. The time between the two is the jitter: about as long as one look takes, as long as nothing interferes.")
/* sampling-rate: learn[2] */
N_("What interferes is everybody else. When the system gives the processor to another program, handles an interrupt, or when the host of a virtual machine takes it, the loop stands still, and the moments that pass meanwhile have no sample: a gap. The table says how many gaps there were and how long the longest was. It is the same length whatever the rate; at a high rate more samples fall into it.")
/* sampling-rate: learn[3] */
N_("A sample that was never taken has no lateness of its own. Left out, it would make a line look the better the more it missed, and the curve would fall where the loop cannot follow any more. So it counts here as late as the next reading came after its moment, so that a wait of 100 periods stands for 100 late samples and not for one. Gil Tene called the fault “coordinated omission”, and this is the correction of his HdrHistogram. Where more than one in a hundred is missed, the 99th percentile is about as long as a gap.")
/* sampling-rate: learn[4] */
N_("So look at the last columns before believing a rate: a line may reach a million samples a second in the mean and still have holes of some milliseconds, which a measurement cannot have. Where that matters, the sampling belongs into hardware with a buffer of its own, which the program only empties.")
/* sampling-rate: learn[5] */
N_("The loop is never given real-time priority here: it never waits, so nothing else could run on that processor. The effect is smallest on a quiet machine with more processors than busy programs, and there the instruction, the call and the gate differ only in how far up they reach.")
/* sampling-rate: presets[0].title */
N_("1 kHz to 10 MHz")
/* sampling-rate: presets[1].title */
N_("The article's rate: 1 MHz")
/* sampling-rate: overlay.title */
N_("The article")
/* sampling-rate: overlay.labels[0] */
N_("OS/2 comes near to 1 MHz")
/* set-up-once: title */
N_("Set up once, use often")
/* set-up-once: summary */
N_("Reads single blocks with everything said anew in each call, and with file, buffers and queue set up once before: what does the difference buy, in elapsed and in CPU time?")
/* set-up-once: learn[0] */
N_("To read a block, the kernel must know which file is meant, whether this program may read it, and where the bytes are to go. When the page cache is bypassed it must also find the memory pages of the buffer and hold them in place while the device writes into them. pread() has all of this done for every single block, however often file and buffer are the same.")
/* set-up-once: learn[1] */
/* xgettext:no-c-format */
N_("The article's OpenVMS program did the costly part once. It locked its buffers as a “buffer object”, prepared the request, and then only said: again. Half a million reads of 512 bytes took 51.3 instead of 52.0 seconds, by the article's reckoning 1.4 % less, since nearly all of that time the program waited for the disk. But the processor was busy for 3.63 instead of 5.01 seconds, more than a quarter less, and that is what the effort was for: a machine that serves many has the rest for others.")
/* set-up-once: learn[2] */
N_("Today's counterpart is io_uring. “block.uring-registered” makes buffers and file known to the kernel before the run; each block then names them by number. “block.uring” does the same without registering, so that the two differ in nothing else. “block.uring-batched” hands over many requests with one system call, and “block.uring-sqpoll” with none: a thread of the kernel watches the queue. That thread is part of this process, and its time is in the figures. It waits as busily as the program does, so one block at a time costs two processors.")
/* set-up-once: learn[3] */
/* xgettext:no-c-format */
N_("Look at both columns, elapsed and CPU, and at their intervals. With one small block in flight all ways wait for the device equally long, and io_uring with a call for each block is no faster than pread(): for a block in the page cache it even takes about twice as long, because there is nothing to set up and a ring has more parts. So for small requests one after the other the effect has vanished. What is left of it grows with the size of the request: registering saved 16 % of the CPU time at 4K, 36 % at 64K and 68 % at 1M with eight requests in flight (2 cores, virtual disk, kernel 6.18, ten alternating runs, measured 2026-11), while the elapsed time hardly changed, just as in the article. Choose the preset “sizes” to see it.")
/* set-up-once: learn[4] */
N_("What makes small requests fast today is another thing: several in flight, and several in a call. Thirty-two blocks of 512 bytes handed over together took less than a tenth of the time that they took one by one. Choose the preset “depths”.")
/* set-up-once: learn[5] */
N_("Every run ends after a second at the latest. A slow disk does not get through half a million blocks in that time; the column “blocks” says how many it was, and all comparisons are by block. The two lines marked “cached” read the same blocks from memory. They are compared with each other only, since they do not wait for a device.")
/* set-up-once: learn[6] */
N_("The article's program needed a privilege of its own, VMS$BUFFER_OBJECT_USER. Today the limit of locked memory (ulimit -l) stands in its place. Where it is too small, or where io_uring or the polling thread is refused, the result says so and names the way to lift it.")
/* set-up-once: strategies[6].label */
N_("block.pread, cached")
/* set-up-once: strategies[7].label */
N_("block.preadv2-nowait, cached")
/* set-up-once: strategies[8].label */
N_("block.uring-registered, cached")
/* set-up-once: strategies[9].label */
N_("block.uring-batched, registered")
/* set-up-once: strategies[10].label */
N_("block.uring-batched, cached")
/* set-up-once: presets[0].title */
N_("The article's job: 500,000 blocks of 512 bytes, one after the other")
/* set-up-once: presets[1].title */
N_("The readers' question: 512 bytes to 8M")
/* set-up-once: presets[2].title */
N_("Blocks of 4K at random positions, 1 to 128 in flight")
/* set-up-once: overlay.title */
N_("OpenVMS, EVA 8100")
/* set-up-once: overlay.labels[0] */
N_("$QIOW, set up in each call")
/* set-up-once: overlay.labels[1] */
N_("FAST I/O, set up once")
/* simulated-1995: title */
N_("Simulated 1995 disk")
/* simulated-1995: summary */
N_("Counts a letter on a simulated disk of 1995 with a processor as slow as then: the article's orders and ratios come back, in its own time.")
/* simulated-1995: learn[0] */
N_("A disk of today hides the lesson: it delivers in milliseconds what took a second in 1995. Here the file lies on a disk that is not there. A program of ours serves it through the kernel, each request taking the time that such a disk needed: 4.2 MB a second, half a millisecond for each request, and up to 26 ms for moving the heads. One request is served at a time, and a disk that had nothing to do gains nothing by that, as with a real one.")
/* simulated-1995: learn[1] */
N_("The processor is held back too. The work “slow” counts each byte 250 times over, which takes about as long as counting took on the PowerMac 7100/66. So disk and processor need times of the same size, and whether they work in turns or together decides the outcome: the blocking read takes the sum of both, two buffers take the larger of the two.")
/* simulated-1995: learn[2] */
N_("What it does not show: a page cache and readahead. This disk's system reads nothing ahead and keeps nothing, so that each call goes to the disk, as then. Choose the 2005 laptop disk as the target and the condition “cold”, and the kernel's readahead does what two buffers did, without any effort of the program's.")
/* simulated-1995: learn[3] */
N_("Set the work to “plain” and the processor is today's again: it needs next to nothing, all strategies wait for the disk, and there is nothing left to hide.")
/* simulated-1995: strategies[0].label */
N_("blocking, one buffer")
/* simulated-1995: strategies[1].label */
N_("the whole file at once")
/* simulated-1995: strategies[2].label */
N_("two buffers, asynchronous (io_uring)")
/* simulated-1995: strategies[3].label */
N_("two buffers, reader thread")
/* simulated-1995: strategies[4].label */
N_("blocking, without the counting")
/* simulated-1995: strategies[5].label */
N_("the counting alone")
/* simulated-1995: presets[0].title */
N_("Within a minute: 1000K to 3000K")
/* simulated-1995: presets[1].title */
N_("The article's sizes: 1000K to 5000K")
/* simulated-1995: overlay.title */
N_("PowerMac 7100/66")
/* simulated-1995: overlay.labels[0] */
N_("blocking read")
/* simulated-1995: overlay.labels[1] */
N_("two buffers, asynchronous")
/* stop-now: title */
N_("Stop now")
/* stop-now: summary */
N_("How long it takes until a strategy that is told to stop has stopped, by block size.")
/* stop-now: learn[0] */
N_("Stop is easy to press and hard to obey. A blocking program can end the call that it is in and begin no other; an asynchronous one can take back what the device has not begun, and must wait for the rest. So the time to stop is about the time of one call, times the calls in flight: small blocks stop at once, and a file read by a single call cannot be stopped at all.")
/* stop-now: learn[1] */
N_("Each run here is stopped on purpose, a twentieth to a seventh of a second after its start: at another moment in each repetition, and at the same one for all strategies. The time runs from the order to the last completion. What has not come back 100 ms later, or three times what the bytes in flight need at the rate measured, is killed, and the time is that until the process was gone.")
/* stop-now: learn[2] */
N_("Two things are unlike what one expects. The kernel cannot take back a direct request that a disk has got, whatever is asked of it: all asynchronous strategies wait for what is in flight, and more depth makes them slower to stop. And nearly all of the time of a cached read is spent copying, which no signal but SIGKILL interrupts; that one does, and not at once either. In 36 runs of “posix.whole-file” the process was gone 15 to 230 ms after it was killed (file of 1G, 2 cores, kernel 6.18, other work beside, measured 2026-12), and those come on top of the 100 ms before: the kernel copies on for a while, up to 150 ms where the memory had never been used before, and takes the memory back, 70 to 120 ms for 1G, before the process is gone. On a fast disk a block of 1M is over in a millisecond, and the differences begin to matter with blocks of 16M and more.")
/* stop-now: strategies[0].label */
N_("posix.read, direct")
/* stop-now: strategies[1].label */
N_("uring.wait, direct")
/* stop-now: strategies[2].label */
N_("libaio.wait, direct")
/* stop-now: strategies[3].label */
N_("posix.read, cached")
/* stop-now: strategies[4].label */
N_("posix.whole-file, cached")
/* stop-now: presets[0].title */
N_("Blocks of 64K to 64M")
/* stop-now: presets[1].title */
N_("1 to 16 buffers of 4M")
