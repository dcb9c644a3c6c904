/*
 * A solver that is a program. With N patterns, in frames (frames.h):
 *
 *     to the program    BEGIN  version, N, tolerance, parameters, labels    answered by STATE
 *                       STEP   (empty)                                      answered by STATE
 *                       MULTIPLIERS  (empty)                                answered by MULTIPLIERS, N reals
 *                       END    (empty)                                      not answered
 *     from the program  before STATE, any number of requests for kernel values, each answered by a frame of its kind:
 *                       ROW       i                        N reals, k(x_i, x_j); N operations
 *                       WEIGHTED  m, weights, patterns     N reals, sum_k w_k k(x_k, x_j); m N operations
 *                       DIAGONAL  (empty)                  N reals, k(x_j, x_j); N operations
 *                       VALUES    m, i's, j's              m reals; m operations
 *                       or FAILURE with a text, which ends the job
 *
 * STATE describes the state after the step and the update that the next step would make. So init is BEGIN, update is
 * STEP, and select only reports. Kernel values that the choice needs are counted with the step before it.
 */
#include "harness/programs/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/platform.h"
#include "harness/programs/frames.h"
#include "solvers/arena.h"
#include "solvers/clock.h"

enum kind {
    BEGIN = 'B',
    STEP = 'S',
    MULTIPLIERS = 'M',
    END = 'E',
    STATE = 'P',
    ROW = 'R',
    WEIGHTED = 'W',
    DIAGONAL = 'D',
    VALUES = 'V',
    FAILURE = 'F'
};

/* The content of BEGIN before the parameters' values and names, which the labels follow. */
struct begin {
    uint32_t version, n;
    double tolerance;
    uint32_t parameters, name_bytes;
};

/* The content of STATE. */
struct figures {
    double objective, norm2, delta, violation, gap, class_gap[2];
    int32_t updated_class; /* as in struct progress */
    uint32_t flags;
};
enum { NO_CHOICE = 1, NO_STEP = 2, CLASS_STUCK = 4, KNOWN_FLAGS = 7 };
_Static_assert(sizeof(struct begin) == 24 && sizeof(struct figures) == 64, "no padding in frames");

/* The solver's process in this thread. */
struct process {
    const struct program *program;
    struct process *next;
    int processor;        /* the only one that it runs on; -1: any */
    struct frames frames; /* kept.life is -1 while nothing runs */
};
static _Thread_local struct process *processes;
static const volatile sig_atomic_t *interrupted;

struct state {
    const struct program *program;
    struct process *process;
    struct error *error; /* the problem's */
    size_t n;
    double ends; /* of the job, on clock_now */
    int is_broken;
    struct figures figures;
    double *values;    /* n */
    double *weights;   /* n */
    uint32_t *numbers; /* 2 n */
    size_t *indices;   /* n */
};

void programs_heed(const volatile sig_atomic_t *flag)
{
    interrupted = flag;
}

/* The program of a solver, or of a copy of it; NULL if it is none. */
static const struct program *program_of(const struct solver *solver)
{
    const struct solver *registered = solver_find(solver->name);
    return registered && registered->init == program_functions.init ? (const struct program *)registered : NULL;
}

int solver_is_program(const struct solver *solver)
{
    return program_of(solver) != NULL;
}

/* ---- the process ---- */

/* The running process of this thread; NULL with the error set. */
static struct process *process_of(const struct program *program, struct error *error)
{
    struct process *process = processes;
    while (process && process->program != program)
        process = process->next;
    if (!process) {
        process = calloc(1, sizeof *process);
        if (!process) {
            error_set(error, STATUS_NO_MEMORY, "out of memory");
            return NULL;
        }
        process->program = program;
        process->frames.kept.life = -1;
        process->next = processes;
        processes = process;
    }
    struct frames *frames = &process->frames;
    if (frames->kept.life < 0) {
        const int reason = keeper_start(program->folder, program->command, &frames->kept);
        if (reason) {
            error_set(error, STATUS_IO, "the program cannot be started: %s", strerror(reason));
            return NULL;
        }
        process->processor = -1;
        frames->begin = frames->end = frames->n_said = 0;
        frames->is_silent = 0;
    }
    return process;
}

enum status program_prepare(const struct solver *solver, struct error *error)
{
    const struct program *program = program_of(solver);
    struct error cause;
    if (!program || process_of(program, &cause))
        return STATUS_OK;
    return error_set(error, cause.status, "%s: %s", solver->name, cause.message);
}

void programs_forget(void)
{
    for (struct process *process = processes; process; process = process->next)
        keeper_forget(&process->frames.kept);
}

/* The job has failed: the process is in an unknown state, and nothing more is asked of it. */
static enum status break_off(struct state *self, enum status status)
{
    self->is_broken = 1;
    keeper_end(&self->process->frames.kept, 0);
    return status;
}

/* Program and thread work in turn, so they share a processor: waking another one takes longer than a row. */
static void follow(struct process *process)
{
    process->processor = platform_follow(process->frames.kept.program, process->processor);
}

/* Sets the limits of the next exchange. */
static void limit(struct state *self)
{
    struct frames *frames = &self->process->frames;
    follow(self->process);
    const double step = clock_now() + self->program->step_seconds;
    const int is_step = step < self->ends;
    frames->deadline = is_step ? step : self->ends;
    frames->patience = is_step ? self->program->step_seconds : self->program->job_seconds;
    frames->patience_of = is_step ? "a step" : "a job";
    frames->interrupted = interrupted;
}

/* ---- requests for kernel values ---- */

static enum status blame_length(struct state *self, const struct frame *frame)
{
    return frames_blame(&self->process->frames, self->error, "sent a frame %c of %u bytes, which is not its length",
                        frame->kind, (unsigned)frame->bytes);
}

/* Takes `count` numbers of patterns. */
static enum status take_patterns(struct state *self, size_t count)
{
    struct frames *frames = &self->process->frames;
    const enum status status = frames_take(frames, self->numbers, count * sizeof *self->numbers, self->error);
    for (size_t k = 0; k < count && status == STATUS_OK; k++)
        if (self->numbers[k] >= self->n)
            return frames_blame(frames, self->error, "asked for pattern %u; there are %zu, from 0",
                                (unsigned)self->numbers[k], self->n);
    return status;
}

/* Takes the head of WEIGHTED or VALUES: a count from 1 to N, and four bytes that are 0. */
static enum status take_count(struct state *self, const struct frame *frame, size_t bytes_each, size_t *count)
{
    uint32_t head[2];
    struct frames *frames = &self->process->frames;
    if (frame->bytes < sizeof head)
        return blame_length(self, frame);
    enum status status = frames_take(frames, head, sizeof head, self->error);
    if (status != STATUS_OK)
        return status;
    *count = head[0];
    if (*count < 1 || *count > self->n)
        return frames_blame(frames, self->error, "asked for %zu patterns at once; allowed: 1 to %zu", *count, self->n);
    return frame->bytes == sizeof head + *count * bytes_each ? STATUS_OK : blame_length(self, frame);
}

static enum status answer(struct state *self, const struct frame *frame, const double *values, size_t count)
{
    return frames_send(&self->process->frames, frame->kind, NULL, 0, values, count * sizeof *values, self->error);
}

static enum status give_row(struct state *self, const struct frame *frame, struct oracle *oracle)
{
    if (frame->bytes != sizeof(uint32_t))
        return blame_length(self, frame);
    const enum status status = take_patterns(self, 1);
    return status == STATUS_OK ? answer(self, frame, oracle_row(oracle, self->numbers[0]), self->n) : status;
}

static enum status give_weighted(struct state *self, const struct frame *frame, struct oracle *oracle)
{
    size_t count = 0;
    enum status status = take_count(self, frame, sizeof(double) + sizeof(uint32_t), &count);
    if (status == STATUS_OK)
        status = frames_take(&self->process->frames, self->weights, count * sizeof *self->weights, self->error);
    if (status == STATUS_OK)
        status = take_patterns(self, count);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < count; k++)
        self->indices[k] = self->numbers[k];
    memset(self->values, 0, simd_padded(self->n) * sizeof *self->values);
    oracle_add_rows(oracle, self->indices, self->weights, count, self->values);
    return answer(self, frame, self->values, self->n);
}

static enum status give_diagonal(struct state *self, const struct frame *frame, struct oracle *oracle)
{
    if (frame->bytes != 0)
        return blame_length(self, frame);
    oracle_diagonal(oracle, self->values);
    return answer(self, frame, self->values, self->n);
}

static enum status give_values(struct state *self, const struct frame *frame, struct oracle *oracle)
{
    size_t count = 0;
    enum status status = take_count(self, frame, 2 * sizeof(uint32_t), &count);
    if (status == STATUS_OK)
        status = take_patterns(self, 2 * count);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < count; k++)
        self->values[k] = oracle_value(oracle, self->numbers[k], self->numbers[count + k]);
    return answer(self, frame, self->values, count);
}

/* ---- answers ---- */

static enum status take_failure(struct state *self, const struct frame *frame)
{
    char text[200] = "";
    const size_t bytes = frame->bytes < sizeof text - 1 ? frame->bytes : sizeof text - 1;
    const enum status status = frames_take(&self->process->frames, text, bytes, self->error);
    if (status != STATUS_OK)
        return status;
    return error_set(self->error, STATUS_NOT_FOUND, "%s", *text ? text : "the program gave up without a reason");
}

static enum status take_state(struct state *self, const struct frame *frame)
{
    struct figures *figures = &self->figures;
    struct frames *frames = &self->process->frames;
    if (frame->bytes != sizeof *figures)
        return blame_length(self, frame);
    const enum status status = frames_take(frames, figures, sizeof *figures, self->error);
    if (status != STATUS_OK)
        return status;
    const char *nan = isnan(figures->objective) ? "objective"
                      : isnan(figures->norm2)   ? "|W|^2"
                      : isnan(figures->delta)   ? "delta"
                                                : NULL;
    if (nan)
        return frames_blame(frames, self->error, "sent NaN as %s", nan);
    if (figures->updated_class < -1 || figures->updated_class > 1 || figures->flags & ~(uint32_t)KNOWN_FLAGS)
        return frames_blame(frames, self->error, "sent class %d and flags %u; allowed: -1, 0 or 1, and flags up to %d",
                            (int)figures->updated_class, (unsigned)figures->flags, KNOWN_FLAGS);
    return STATUS_OK;
}

/* Serves the program's requests until it sends its state. */
static enum status serve(struct state *self, struct oracle *oracle)
{
    for (;;) {
        struct frame frame;
        enum status status = frames_head(&self->process->frames, &frame, self->error);
        if (status != STATUS_OK)
            return status;
        follow(self->process);
        switch (frame.kind) {
        case ROW:
            status = give_row(self, &frame, oracle);
            break;
        case WEIGHTED:
            status = give_weighted(self, &frame, oracle);
            break;
        case DIAGONAL:
            status = give_diagonal(self, &frame, oracle);
            break;
        case VALUES:
            status = give_values(self, &frame, oracle);
            break;
        case STATE:
            return take_state(self, &frame);
        case FAILURE:
            return take_failure(self, &frame);
        default:
            return frames_blame(&self->process->frames, self->error, "sent a frame %c, which is unknown here",
                                frame.kind);
        }
        if (status != STATUS_OK)
            return status;
    }
}

/* ---- the solver ---- */

static void lay_out(struct state *self, struct arena *arena, size_t n)
{
    arena_take(arena, sizeof *self);
    double *values = arena_doubles(arena, n), *weights = arena_doubles(arena, n);
    uint32_t *numbers = arena_take(arena, 2 * n * sizeof *numbers);
    size_t *indices = arena_take(arena, n * sizeof *indices);
    if (self) {
        self->values = values;
        self->weights = weights;
        self->numbers = numbers;
        self->indices = indices;
    }
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.block = NULL};
    lay_out(NULL, &arena, problem->n);
    return arena.used;
}

static enum status send_problem(struct state *self, const struct problem *problem)
{
    struct {
        struct begin begin;
        char parameters[MAX_PARAMETERS * (sizeof(double) + MAX_PARAMETER_NAME + 1)];
    } head = {.begin = {.version = PROGRAM_PROTOCOL,
                        .n = (uint32_t)self->n,
                        .tolerance = problem->tolerance,
                        .parameters = (uint32_t)solver_count_parameters(problem->solver)}};
    const size_t count = head.begin.parameters;
    char *names = head.parameters + count * sizeof(double), *end = names;
    for (size_t p = 0; p < count; p++) {
        const struct parameter *parameter = problem->solver->parameters[p];
        const double value = parameter_get(&problem->parameters, parameter);
        memcpy(head.parameters + p * sizeof value, &value, sizeof value);
        end = stpcpy(end, parameter->name) + 1;
    }
    head.begin.name_bytes = (uint32_t)(end - names);
    return frames_send(&self->process->frames, BEGIN, &head, (size_t)(end - (char *)&head), problem->y, self->n,
                       self->error);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct state *self = state;
    struct arena arena = {.block = state};
    lay_out(self, &arena, problem->n);
    self->program = program_of(problem->solver);
    self->error = problem->error;
    self->n = problem->n;
    self->ends = clock_now() + self->program->job_seconds;
    self->process = process_of(self->program, self->error);
    if (!self->process) {
        self->is_broken = 1;
        return self->error->status;
    }
    limit(self);
    enum status status = send_problem(self, problem);
    if (status == STATUS_OK)
        status = serve(self, oracle);
    return status == STATUS_OK ? STATUS_OK : break_off(self, status);
}

static enum status select_update(void *state, struct progress *progress)
{
    const struct state *self = state;
    const struct figures *figures = &self->figures;
    progress->objective = figures->objective;
    progress->norm2 = figures->norm2;
    progress->delta = figures->delta;
    progress->violation = figures->violation;
    progress->updated_class = figures->updated_class;
    progress->class_gap[0] = figures->class_gap[0];
    progress->class_gap[1] = figures->class_gap[1];
    progress->class_stuck = (figures->flags & CLASS_STUCK) != 0;
    return figures->flags & NO_CHOICE ? STATUS_STALLED : STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct state *self = state;
    if (self->is_broken) /* a call of alpha between two updates failed */
        return self->error->status;
    limit(self);
    enum status status = frames_send(&self->process->frames, STEP, NULL, 0, NULL, 0, self->error);
    if (status == STATUS_OK)
        status = serve(self, oracle);
    if (status != STATUS_OK)
        return break_off(self, status);
    return self->figures.flags & NO_STEP ? STATUS_STALLED : STATUS_OK;
}

static double gap(const void *state, int class)
{
    const struct figures *figures = &((const struct state *)state)->figures;
    return class == 0 ? figures->gap : figures->class_gap[class < 0];
}

/* The multipliers of a job that fails here are 0. */
static void alpha(const void *state, double *out)
{
    struct state *self = (struct state *)(uintptr_t)state; /* the process and the fault are not part of the result */
    struct frames *frames = &self->process->frames;
    struct frame frame;
    memset(out, 0, self->n * sizeof *out);
    if (self->is_broken)
        return;
    limit(self);
    enum status status = frames_send(frames, MULTIPLIERS, NULL, 0, NULL, 0, self->error);
    if (status == STATUS_OK)
        status = frames_head(frames, &frame, self->error);
    if (status == STATUS_OK && frame.kind == FAILURE)
        status = take_failure(self, &frame);
    else if (status == STATUS_OK && (frame.kind != MULTIPLIERS || frame.bytes != self->n * sizeof *out))
        status = frames_blame(frames, self->error, "sent a frame %c of %u bytes; expected: M of %zu bytes", frame.kind,
                              (unsigned)frame.bytes, self->n * sizeof *out);
    else if (status == STATUS_OK)
        status = frames_take(frames, out, self->n * sizeof *out, self->error);
    if (status == STATUS_OK)
        return;
    memset(out, 0, self->n * sizeof *out);
    break_off(self, status);
}

static void finish(void *state)
{
    struct state *self = state;
    struct error error;
    if (!self->process || self->is_broken)
        return;
    if (frames_send(&self->process->frames, END, NULL, 0, NULL, 0, &error) != STATUS_OK)
        break_off(self, error.status);
}

const struct solver program_functions = {
    .state_size = state_size,
    .init = init,
    .select = select_update,
    .update = update,
    .gap = gap,
    .alpha = alpha,
    .finish = finish,
};
