/* A text that is incomplete never leaves this file. */
#include "harness/support/text_stream.h"

#include <stdlib.h>

int text_stream_close(FILE *stream, char **text)
{
    int failed = !stream || ferror(stream);
    if (stream)
        failed |= fclose(stream) != 0;
    if (!failed && *text)
        return 1;
    free(*text);
    *text = NULL;
    return 0;
}
