/*
 * inject [-k] [-n] [-e ERRNO] [-c FILE] AT COMMAND...: runs the command and makes its AT-th system call that changes
 * files fail with ERRNO (EIO), or with -k kills it there; 0: none. FILE receives the number of such calls. These are
 * open for writing, write and pwrite to anything but standard error, fsync, fdatasync, ftruncate, fchmod, fchown, link,
 * rename, mkdir, unlink, rmdir and, after the first of these, close of a file. With -n no file can be created without
 * a name, as on NFS: O_TMPFILE always fails with EOPNOTSUPP. Exit status: the command's; 128 + the signal's number; 77
 * if the system does not allow watching calls (seccomp user notification).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_HERE = 77 };

static const int watched[] = {
    SYS_openat, SYS_write, SYS_pwrite64, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_close, SYS_renameat2, SYS_mkdirat,
    SYS_unlinkat, SYS_linkat, SYS_fchmod, SYS_fchown,
#ifdef SYS_open
    SYS_open, SYS_rename, SYS_mkdir, SYS_unlink, SYS_rmdir,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
};
enum { WATCHED = sizeof watched / sizeof *watched };

/* Installs a filter that passes the watched calls to the listener. Returns the listener, or -1. */
static int listen_to_own_calls(void)
{
    struct sock_filter code[WATCHED + 3];
    size_t n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < WATCHED; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)watched[i],
                                                 (unsigned char)(WATCHED - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
};

static int send_file(int socket, int file)
{
    union control control = {.bytes = ""};
    char byte = 'x';
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    return sendmsg(socket, &message, 0) == 1;
}

/* Returns -1 if the other side has closed without sending. */
static int receive_file(int socket)
{
    union control control = {.bytes = ""};
    char byte;
    int file = -1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
        return -1;
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}

static int makes_nameless(const struct seccomp_data *call)
{
    return call->nr == SYS_openat && (call->args[2] & O_TMPFILE) == O_TMPFILE;
}

/* Whether the descriptor is that of a file. A close that fails for another one, such as a pipe, closes it all the same,
 * which cannot be done here. */
static int is_file(pid_t process, unsigned long descriptor)
{
    char path[64], link[2];
    snprintf(path, sizeof path, "/proc/%d/fd/%lu", (int)process, descriptor);
    return readlink(path, link, sizeof link) > 0 && link[0] == '/';
}

/* Whether the call changes something. Writes to standard error report the other failures, so they are excluded. */
static int changes(pid_t process, const struct seccomp_data *call)
{
    if (call->nr == SYS_close)
        return is_file(process, call->args[0]);
    if (call->nr == SYS_openat)
        return (call->args[2] & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
#ifdef SYS_open
    if (call->nr == SYS_open)
        return (call->args[1] & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
#endif
    if (call->nr == SYS_write)
        return call->args[0] != STDERR_FILENO;
    return 1;
}

struct job {
    unsigned long at, made;
    int begun; /* the loader closes its mapped files before the program changes anything */
    int error, killing, without_nameless;
    pid_t child;
};

static void answer(int listener, struct job *job)
{
    struct seccomp_notif call = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return;
    struct seccomp_notif_resp reply = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    int refused = job->without_nameless && makes_nameless(&call.data);
    if (refused) {
        reply.flags = 0;
        reply.error = -EOPNOTSUPP;
    }
    const int is_change = changes((pid_t)call.pid, &call.data);
    job->begun = job->begun || (is_change && call.data.nr != SYS_close);
    if (!refused && job->begun && is_change && ++job->made == job->at) {
        if (job->killing)
            kill(job->child, SIGKILL);
        reply.flags = 0;
        reply.error = -job->error;
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

static int watch(int socket, struct job *job)
{
    int listener = receive_file(socket), status = 0;
    if (listener < 0)
        return NOT_HERE;
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    for (;;) {
        int got = poll(&waiting, 1, 20);
        if (got > 0 && (waiting.revents & POLLIN))
            answer(listener, job);
        else if (waitpid(job->child, &status, WNOHANG) == job->child)
            break;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void become(char **command, int socket)
{
    int listener = listen_to_own_calls();
    if (listener < 0 || !send_file(socket, listener))
        _exit(NOT_HERE);
    execvp(command[0], command);
    _exit(NOT_HERE);
}

int main(int argc, char **argv)
{
    struct job job = {.error = EIO};
    const char *count = NULL;
    int option, sockets[2];
    while ((option = getopt(argc, argv, "+kne:c:")) != -1)
        if (option == 'k')
            job.killing = 1;
        else if (option == 'n')
            job.without_nameless = 1;
        else if (option == 'e')
            job.error = atoi(optarg);
        else if (option == 'c')
            count = optarg;
        else
            return 2;
    if (argc - optind < 2 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return 2;
    job.at = strtoul(argv[optind], NULL, 10);
    job.child = fork();
    if (job.child < 0)
        return NOT_HERE;
    if (job.child == 0)
        become(argv + optind + 1, sockets[1]);
    close(sockets[1]);
    int status = watch(sockets[0], &job);
    FILE *file = count ? fopen(count, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", job.made);
        fclose(file);
    }
    return status;
}
