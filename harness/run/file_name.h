/* File names made of the names of data sets, solvers and figures. */
#ifndef HULLBENCH_FILE_NAME_H
#define HULLBENCH_FILE_NAME_H

/* Joins the parts, of which NULL marks the end, by "-" to a file name. ASCII letters, digits and ".", "_", "-", "+"
 * stay as they are. Every other byte, and "." or "-" at the beginning, becomes "=" with two hexadecimal digits. So
 * different names never become the same file, and every system, archive and link takes the file's name. A name of more
 * than 230 bytes is cut and ends in "==" and 16 digits of its hash, since a file name has at most 255. Returns the name
 * between `before`, such as a folder with its slash, and `after`, such as an ending; malloc'ed, never NULL. */
char *file_name_join(const char *before, const char *const *parts, const char *after);

#endif
