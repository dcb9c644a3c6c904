/*
 * What the program needs of Linux and the GNU C library beyond POSIX.1-2008. No other file may use a function that
 * -D_POSIX_C_SOURCE=200809L hides.
 */
#ifndef HULLBENCH_PLATFORM_H
#define HULLBENCH_PLATFORM_H

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- files ---- */

/* As realpath(path, NULL), which the GNU C library declares only with its X/Open extension; likewise the sticky bit. */
char *platform_real_path(const char *path);
int platform_is_sticky(const struct stat *about);
/* Opens a file in the folder for writing that has no name yet and may get one by /proc/self/fd. -1 on failure. */
int platform_open_nameless(const char *folder, mode_t mode);

/* ---- memory ---- */

/* New readable and writable pages of zeros; a child process shares them with its parent if is_shared. NULL with errno
 * set on failure; released by munmap. */
void *platform_map(size_t bytes, int is_shared);
/* The bytes that malloc has given out in all threads. Small blocks that a thread has released and keeps count. */
size_t platform_bytes_allocated(void);
/* A stream that writes to a string. After fflush or closing, *text is the text and *size, unless size is NULL, its
 * length without the NUL.
 * Out of memory: NULL with *text NULL; a later write sets the stream's error flag. */
FILE *platform_text_stream(char **text, size_t *size);

/* ---- this program ---- */

/* Whether the calling thread is the one that runs main. */
int platform_is_first_thread(void);
/* Calls at_end(status, context) when the program ends by exit or by returning from main. */
void platform_on_exit(void (*at_end)(int status, void *context), void *context);
/* The largest memory that the process has used so far, in units of 2^20 bytes; 0 if unknown. */
double platform_peak_megabytes(void);

/* ---- other processes ---- */

/* Starts a program, which is searched in PATH, in the folder `folder` and without standard input; its standard output
 * and error are `output`. Returns 0 or an errno: ENOENT if folder or program do not exist. */
int platform_start(const char *folder, char *const arguments[], int output, pid_t *child);
/* As fork, but without the handlers of pthread_atfork, and safe in a signal handler. Until exec, the child may call
 * only functions that are safe there. */
pid_t platform_fork(void);
/* Makes this process, just forked, one in which foreign code may run: in a group of its own, which a terminal's
 * interrupt does not reach, killed when the parent ends, without a core file. Ends it if the parent has ended. */
void platform_begin_child(pid_t parent);
/* Lets a process run only on the processor of the calling thread, which is returned (-1: unknown), unless `known` is
 * it. */
int platform_follow(pid_t process, int known);
/* Closes all descriptors from `first` on. */
void platform_close_from(int first);

/* Waits up to `milliseconds` for the end of a child, which remains to be waited for; whether it has ended. */
int platform_has_ended(pid_t child, int milliseconds);
/* The name of a signal, such as "SIGSEGV" (message_room). */
const char *platform_signal_name(int number);
/* Whether a user or a debugger has stopped the child. */
int platform_is_stopped(pid_t child);

/* ---- the system ---- */

/* The name of the processor, or NULL. `text` receives the beginning of a file with it and must be large. */
const char *platform_processor(char *text, size_t size);
/* The columns of the terminal that the file descriptor is; 0: it is none, or does not say. */
size_t platform_terminal_columns(int file);

#endif
