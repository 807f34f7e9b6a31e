/* An HTTP/1.1 server for measuring proxies: a thread a connection, answers without looking.
 *
 * POST: a small JSON reply. GET /events/COUNT/MICROSECONDS: that many server-sent events, so far apart, each with the
 * time of its sending ("ns":…, CLOCK_MONOTONIC). Prints the port that it listens on.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char REPLY[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 116\r\n\r\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"the quick brown fox jumps over "
    "the lazy dog\"}]}}";

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int all(int fd, const char *p, size_t n) {
    while (n) {
        ssize_t k = write(fd, p, n);
        if (k <= 0) return 0;
        p += k; n -= (size_t)k;
    }
    return 1;
}

static int events(int fd, long count, long micros) {
    static const char head[] =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
        "Transfer-Encoding: chunked\r\n\r\n";
    if (!all(fd, head, sizeof head - 1)) return 0;
    for (long i = 0; i < count; i++) {
        char event[400], chunk[440];
        struct timespec pause = {0, micros * 1000};
        nanosleep(&pause, NULL);
        int n = snprintf(event, sizeof event,
            "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
            "{\"progressToken\":\"p\",\"progress\":%ld,\"ns\":%lld}}\n\n", i, now());
        int m = snprintf(chunk, sizeof chunk, "%x\r\n%s\r\n", n, event);
        if (!all(fd, chunk, (size_t)m)) return 0;
    }
    return all(fd, "0\r\n\r\n", 5);
}

/* Answers one request that stands whole in the buffer; its length, 0 where it is not whole yet, -1 at the end. */
static long answer(int fd, char *buf, size_t len) {
    char *end = memmem(buf, len, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t head = (size_t)(end - buf) + 4, body = 0;
    *end = 0;
    char *field = strcasestr(buf, "\r\ncontent-length:");
    if (field) body = strtoul(field + 17, NULL, 10);
    *end = '\r';
    if (len < head + body) return 0;
    long count = 0, micros = 0;
    char *path = memmem(buf, head, "/events/", 8);
    int ok;
    if (path && sscanf(path, "/events/%ld/%ld", &count, &micros) == 2) ok = events(fd, count, micros);
    else ok = all(fd, REPLY, sizeof REPLY - 1);
    return ok ? (long)(head + body) : -1;
}

static void *serve(void *arg) {
    int fd = (int)(long)arg, one = 1;
    char buf[65536];
    size_t len = 0;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (;;) {
        ssize_t k = read(fd, buf + len, sizeof buf - len);
        if (k <= 0) break;
        len += (size_t)k;
        long used;
        while ((used = answer(fd, buf, len)) > 0) {
            len -= (size_t)used;
            memmove(buf, buf + used, len);
        }
        if (used < 0) break;
    }
    close(fd);
    return NULL;
}

int main(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    if (bind(fd, (struct sockaddr *)&at, size) || listen(fd, 256) || getsockname(fd, (struct sockaddr *)&at, &size))
        return 1;
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    for (;;) {
        int client = accept(fd, NULL, NULL);
        pthread_t thread;
        if (client < 0) continue;
        if (pthread_create(&thread, NULL, serve, (void *)(long)client)) close(client);
        else pthread_detach(thread);
    }
}
