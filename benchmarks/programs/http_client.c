/* Measures what is between it and programs/http_server.c.
 *
 * usage: http_client PORT post COUNT CONNECTIONS      so many POSTs in all, one at a time on each connection
 *        http_client PORT events COUNT MICROSECONDS   one stream of events
 * Prints p50 and p99 in microseconds (of round trips; of the way of an event) and, of POSTs, how many a second.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char BODY[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":"
    "\"the quick brown fox jumps over the lazy dog\"}}}";

static double *times;
static long done;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int connected(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&at, sizeof at)) { perror("connect"); exit(1); }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

struct exchange { int fd; double began; size_t len; char buf[4096]; };

static void ask(struct exchange *x, const char *request, size_t size) {
    x->len = 0;
    x->began = now();
    if (write(x->fd, request, size) != (ssize_t)size) { perror("write"); exit(1); }
}

/* Reads on; whether the answer is whole. */
static int answered(struct exchange *x) {
    ssize_t k = read(x->fd, x->buf + x->len, sizeof x->buf - 1 - x->len);
    if (k <= 0) { fprintf(stderr, "the connection ended\n"); exit(1); }
    x->len += (size_t)k;
    x->buf[x->len] = 0;
    char *end = strstr(x->buf, "\r\n\r\n"), *length = strcasestr(x->buf, "\r\ncontent-length:");
    return end && length && x->len >= (size_t)(end - x->buf) + 4 + strtoul(length + 17, NULL, 10);
}

static void post(int port, long count, int connections) {
    char request[600];
    int size = snprintf(request, sizeof request,
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Length: %zu\r\n\r\n%s", sizeof BODY - 1, BODY);
    struct exchange *all = calloc((size_t)connections, sizeof *all);
    int poll = epoll_create1(0);
    for (int i = 0; i < connections; i++) {
        struct epoll_event want = {.events = EPOLLIN, .data.ptr = &all[i]};
        all[i].fd = connected(port);
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &want);
    }
    double began = now();
    long asked = 0;
    for (int i = 0; i < connections && asked < count; i++, asked++) ask(&all[i], request, (size_t)size);
    while (done < count) {
        struct epoll_event ready[64];
        int n = epoll_wait(poll, ready, 64, 30000);
        if (n <= 0) { fprintf(stderr, "no answer\n"); exit(1); }
        for (int i = 0; i < n; i++) {
            struct exchange *x = ready[i].data.ptr;
            if (!answered(x)) continue;
            times[done++] = now() - x->began;
            if (asked < count) { asked++; ask(x, request, (size_t)size); }
        }
    }
    double took = now() - began;
    qsort(times, (size_t)done, sizeof *times, compare);
    printf("%.1f %.1f %.0f\n", times[done / 2], times[done * 99 / 100], done / took * 1e6);
}

static void events(int port, long count, long micros) {
    char request[200], buf[65536];
    size_t len = 0;
    int fd = connected(port), size = snprintf(request, sizeof request,
        "GET /events/%ld/%ld HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n", count, micros);
    if (write(fd, request, (size_t)size) != size) exit(1);
    while (done < count) {
        ssize_t k = read(fd, buf + len, sizeof buf - 1 - len);
        double at = now();
        if (k <= 0) { fprintf(stderr, "the stream ended\n"); exit(1); }
        len += (size_t)k;
        buf[len] = 0;
        char *p = buf, *mark, *end;
        while ((mark = strstr(p, "\"ns\":")) && (end = strchr(mark, '}'))) {
            times[done++] = at - strtoll(mark + 5, NULL, 10) / 1e3;
            p = end;
        }
        len -= (size_t)(p - buf);
        memmove(buf, p, len);
    }
    qsort(times, (size_t)done, sizeof *times, compare);
    printf("%.1f %.1f 0\n", times[done / 2], times[done * 99 / 100]);
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int port = atoi(argv[1]);
    long count = atol(argv[3]), last = atol(argv[4]);
    times = malloc(sizeof *times * (size_t)count);
    if (strcmp(argv[2], "events")) post(port, count, (int)last);
    else events(port, count, last);
    return 0;
}
