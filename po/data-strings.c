/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written by po/extract-data, never compiled: the texts of the experiments, for xgettext.
 */
