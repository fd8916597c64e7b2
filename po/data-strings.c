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
