/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written by po/extract-data, never compiled: the texts of the experiments, for xgettext.
 */
#define N_(text) text

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
N_("The effect comes back where the page cache is bypassed. A direct read (O_DIRECT) goes from the disk into the program's own buffer, nobody reads ahead, and a blocking program waits for each block. Two buffers of 1M to 4M on huge pages, filled by io_uring, libaio or a reader thread, counted a file of 2G about 1.6 times as fast as blocking direct reads where this program was made. More than two buffers gave nothing: once the disk is never idle, there is nothing left to gain. Choose the preset “today” to see it; files of a few thousand K are read in milliseconds, and starting up weighs as much as reading.")
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
/* count-a-letter: overlay.title */
N_("PowerMac 7100/66")
/* count-a-letter: overlay.labels[0] */
N_("C library, by character")
/* count-a-letter: overlay.labels[1] */
N_("blocking read")
/* count-a-letter: overlay.labels[2] */
N_("two buffers, asynchronous")
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
