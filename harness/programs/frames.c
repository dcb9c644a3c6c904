/* Writes and reads frames without blocking for ever. */
#include "harness/programs/frames.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "solvers/clock.h"

/* ---- what the program said ---- */

/* Reads standard error, of which the last SAID_SIZE - 1 bytes are kept; not without end, as a program may write. */
static void listen(struct frames *frames)
{
    char heard[4096];
    const int most_parts = FRAME_BUFFER / (int)sizeof heard;
    ssize_t length;
    for (int part = 0; part < most_parts && (length = read(frames->kept.errors, heard, sizeof heard)) > 0; part++) {
        const size_t most = SAID_SIZE - 1, n = (size_t)length < most ? (size_t)length : most;
        const size_t old = frames->n_said < most - n ? frames->n_said : most - n;
        memmove(frames->said, frames->said + frames->n_said - old, old);
        memcpy(frames->said + old, heard + length - n, n);
        frames->n_said = old + n;
    }
}

/* The last line that is not empty, NUL-terminated in place; "" if there is none. */
static const char *last_words(struct frames *frames)
{
    char *said = frames->said;
    size_t end = frames->n_said;
    while (end > 0 && (said[end - 1] == '\n' || said[end - 1] == '\r' || said[end - 1] == ' '))
        end--;
    said[end] = '\0';
    const char *line = strrchr(said, '\n');
    return line ? line + 1 : said;
}

enum status frames_blame_for(struct frames *frames, struct error *error, const char *what)
{
    listen(frames);
    const char *words = last_words(frames);
    return error_set(error, STATUS_NOT_FOUND, "the program %s%s%s", what, *words ? "; it said: " : "", words);
}

/* ---- waiting ---- */

static enum status blame_end(struct frames *frames, struct error *error)
{
    return frames_blame_for(frames, error, keeper_how_it_ended(&frames->kept));
}

/* Waits until the program's input or output is ready for `events`. */
static enum status wait_for(struct frames *frames, int file, short events, struct error *error)
{
    const double slice = 0.1; /* between two looks at the interrupt */
    for (;;) {
        const int errors = frames->is_silent ? -1 : frames->kept.errors;
        struct pollfd files[] = {{.fd = file, .events = events},
                                 {.fd = errors, .events = POLLIN},
                                 {.fd = frames->kept.life, .events = POLLIN}};
        const double left = frames->deadline - clock_now();
        if (frames->interrupted && *frames->interrupted)
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        if (!(left > 0))
            return frames_blame(frames, error, "exceeded the limit of %g s of %s", frames->patience,
                                frames->patience_of);
        const double seconds = left < slice ? left : slice;
        if (poll(files, 3, 1 + (int)(1000 * seconds)) < 0 && errno != EINTR)
            return error_set(error, STATUS_IO, "cannot wait for the program: %s", strerror(errno));
        if (files[1].revents & POLLIN)
            listen(frames);
        else if (files[1].revents)
            frames->is_silent = 1;
        if (files[0].revents)
            return STATUS_OK;
        if (files[2].revents && poll(files, 1, 0) == 0) /* it has ended, and another process holds its pipes open */
            return blame_end(frames, error);
    }
}

/* ---- bytes ---- */

/* As writev, but a pipe without a reader gives EPIPE and no signal. */
static ssize_t write_quietly(int file, const struct iovec *parts, int count)
{
    const struct timespec now = {0};
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const ssize_t written = writev(file, parts, count);
    const int reason = errno;
    if (written < 0 && reason == EPIPE)
        while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {
            /* again */
        }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

/* Removes `bytes` from the beginning of the parts; returns how many parts are left at the end of the array. */
static int drop(struct iovec *parts, int count, size_t bytes)
{
    int first = 0;
    for (; first < count && bytes >= parts[first].iov_len; first++)
        bytes -= parts[first].iov_len;
    if (first < count) {
        parts[first].iov_base = (char *)parts[first].iov_base + bytes;
        parts[first].iov_len -= bytes;
    }
    return count - first;
}

enum status frames_send(struct frames *frames, char kind, const void *first, size_t first_bytes, const void *second,
                        size_t second_bytes, struct error *error)
{
    enum { PARTS = 3 };
    char head[FRAME_HEAD] = {kind};
    const uint32_t bytes = (uint32_t)(first_bytes + second_bytes);
    struct iovec parts[PARTS] = {{head, FRAME_HEAD},
                                 {(void *)(uintptr_t)first, first_bytes},
                                 {(void *)(uintptr_t)second, second_bytes}};
    enum status status = STATUS_OK;
    memcpy(head + 4, &bytes, sizeof bytes);
    for (int left = PARTS; left > 0 && status == STATUS_OK;) {
        const ssize_t written = write_quietly(frames->kept.input, parts + PARTS - left, left);
        if (written >= 0)
            left = drop(parts + PARTS - left, left, (size_t)written);
        else if (errno == EAGAIN)
            status = wait_for(frames, frames->kept.input, POLLOUT, error);
        else if (errno != EINTR)
            status = blame_end(frames, error);
    }
    return status;
}

/* Reads up to `most` bytes, at least one. */
static enum status get(struct frames *frames, void *into, size_t most, size_t *got, struct error *error)
{
    for (;;) {
        const enum status status = wait_for(frames, frames->kept.output, POLLIN, error);
        if (status != STATUS_OK)
            return status;
        const ssize_t length = read(frames->kept.output, into, most);
        *got = length > 0 ? (size_t)length : 0;
        if (length > 0)
            return STATUS_OK;
        if (length == 0 || (errno != EAGAIN && errno != EINTR))
            return blame_end(frames, error);
    }
}

enum status frames_take(struct frames *frames, void *into, size_t bytes, struct error *error)
{
    char *at = into;
    enum status status = STATUS_OK;
    while (bytes > 0 && status == STATUS_OK) {
        size_t ready = frames->end - frames->begin, got = 0;
        if (ready == 0 && bytes >= sizeof frames->buffer) { /* straight to its place */
            status = get(frames, at, bytes, &got, error);
            at += got;
            bytes -= got;
        } else if (ready == 0) {
            frames->begin = 0;
            status = get(frames, frames->buffer, sizeof frames->buffer, &frames->end, error);
        } else {
            ready = ready < bytes ? ready : bytes;
            memcpy(at, frames->buffer + frames->begin, ready);
            frames->begin += ready;
            at += ready;
            bytes -= ready;
        }
    }
    return status;
}

enum status frames_head(struct frames *frames, struct frame *frame, struct error *error)
{
    unsigned char head[FRAME_HEAD];
    const enum status status = frames_take(frames, head, sizeof head, error);
    if (status != STATUS_OK)
        return status;
    frame->kind = (char)head[0];
    memcpy(&frame->bytes, head + 4, sizeof frame->bytes);
    if (head[0] < 'A' || head[0] > 'Z' || head[1] || head[2] || head[3])
        return frames_blame(frames, error,
                            "sent bytes that are no frame (%02x %02x %02x %02x): its standard output is for frames "
                            "only",
                            head[0], head[1], head[2], head[3]);
    return STATUS_OK;
}
