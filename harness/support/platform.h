/*
 * Everything that the program needs of the system beyond POSIX.1-2008. Each function has a way for the GNU C library or
 * Linux and a portable way, both in platform.c. -DHULLBENCH_PORTABLE (make PORTABLE=1) compiles the portable way also
 * where the other exists. No other file may use a function that -D_POSIX_C_SOURCE=200809L hides.
 */
#ifndef HULLBENCH_PLATFORM_H
#define HULLBENCH_PLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- files ---- */

/* As realpath(path, NULL), which POSIX.1-2008 has and the GNU C library declares only with its X/Open extension. */
char *platform_real_path(const char *path);

/* Whether the file's mode has the sticky bit, which is an X/Open extension. */
int platform_is_sticky(const struct stat *about);

/* Whether the folder is in /proc, so that a link in it may be an open file of a process. */
int platform_is_in_proc(const char *folder);

/* Opens a file in the folder for writing that has no name yet. -1 on failure, and always in the portable way. */
int platform_open_nameless(const char *folder, mode_t mode);

/* Gives the nameless file a name that does not exist yet; -1 with errno set on failure. */
int platform_link_nameless(int file, const char *path);

/* Writes a name by which the open file can be opened again, whatever its path names now. Returns 0 if there is none. */
int platform_open_name(int file, char *name, size_t size);

/* Locks the open file without waiting. -1 with errno set on failure; EWOULDBLOCK if another process holds the lock, or
 * this process by another opening of the file. The lock ends when the file is closed. The portable way excludes only
 * other processes, and this process loses its lock when it closes any opening of the file. */
int platform_lock(int file);

/* Eight bytes that nobody guesses; in the portable way, that hardly repeat. Returns 0 on failure. */
int platform_random(uint64_t *bytes);

/* Opens a stream that writes to a string (text_stream.h). */
FILE *platform_open_text(char **text, size_t *size);

/* ---- memory ---- */

/* New readable and writable pages of zeros; a child process shares them with its parent if is_shared. NULL with errno
 * set on failure; released by munmap. */
void *platform_map(size_t bytes, int is_shared);

/* ---- this program ---- */

/* Notes argv[0] of main, by which the portable way finds the program. It must be called before the current folder
 * changes. */
void platform_note_program(const char *name);

/* A path that opens the program's file; NULL if unknown. */
const char *platform_program(void);

/* Writes the absolute path of the program's file. Returns 0 if it is unknown. */
int platform_program_path(char *path, size_t size);

/* Calls at_end(status, context) when the program ends by exit or by returning from main. If a library, not
 * platform_exit, has called exit, the portable way does not know the status and passes EXIT_FAILURE. */
void platform_on_exit(void (*at_end)(int status, void *context), void *context);

/* As exit, for every exit that is ours. */
_Noreturn void platform_exit(int status);

/* Prepares a timer that raises SIGALRM; -1 with errno set on failure. */
int platform_timer_make(void);

/* Starts the timer, which expires in half a second; in the portable way, in one. A signal handler may call it. */
void platform_timer_start(void);

/* The largest memory that the process has used so far, in units of 2^20 bytes; 0 if unknown. */
double platform_peak_megabytes(void);

/* A library function, what shall be called in its place, and where its address is stored first. */
struct platform_replacement {
    const char *name;
    void (*instead)(void);
    void *original; /* a pointer to a pointer to a function */
};

/* Replaces functions in all objects of this process (the program, its libraries and plugins), never to be undone.
 * Returns 0 if that is impossible: always in the portable way, and where objects are not 64-bit ELF with addends. */
int platform_replace(const struct platform_replacement *replacements, size_t count);

/* ---- other processes ---- */

/* Starts a program, which is searched in PATH, in the folder `folder` and without standard input; its standard output
 * and error are `output`. Returns 0 or an errno: ENOENT if folder or program do not exist. */
int platform_start(const char *folder, char *const arguments[], int output, pid_t *child);

/* Lets this process end when its parent does; does nothing in the portable way. */
void platform_end_with_parent(void);

/* Nonzero if a user or a debugger has stopped the child. The portable way does not see debuggers. */
int platform_is_stopped(pid_t child);

/* Waits for the end of the child; writes its status, processor time and largest memory (0 if unknown). Returns 0 if it
 * cannot be waited for. In the portable way no other child may end at the same time. */
int platform_wait(pid_t child, int *status, double *seconds, double *megabytes);

/* ---- the system ---- */

/* The average number of processes that ran or wanted to run in the last minute; negative if unknown. */
double platform_load(void);

/* The name of the processor, or NULL. `text` receives the beginning of a file with it and must be large. */
const char *platform_processor(char *text, size_t size);

/* The version of the GNU C library; NULL for others. */
const char *platform_libc_version(void);

/* ---- the command line ---- */

/* An option, or without name and key the heading of those that follow. */
struct platform_option {
    const char *name;     /* --NAME; NULL: only a letter */
    int key;              /* how `take` knows it; also its letter, if it is a character */
    const char *argument; /* its name in the help; NULL: the option has none */
    const char *help;     /* NULL: hidden in the help */
    int group;
};

/* What has been parsed so far. */
struct parse_state {
    const char *name; /* the program's, for messages */
    char **argv;
    int argc, next; /* argv[next] comes next */
};

enum {
    PLATFORM_OPERANDS = -1, /* all options have been parsed; the operands are argv[next] to the end */
    PLATFORM_END = -2,      /* everything has been parsed */
};

struct platform_syntax {
    const char *usage, *doc; /* as in argp: a line for each form, \v between the texts before and after the options */
    const struct platform_option *options, *more; /* terminated by rows of zeros */
    int status_of_bad_use;
    /* Called for each option, for the operands if there are any, and at the end. */
    void (*take)(void *context, int key, char *text, struct parse_state *state);
};

/* Parses a command line by argp. The portable way parses the same, but prints a plainer help. Ends the program after
 * --help and on bad use, with a message of two lines. Returns 0 or an errno. */
int platform_parse(const struct platform_syntax *syntax, int argc, char **argv, void *context);

#endif
