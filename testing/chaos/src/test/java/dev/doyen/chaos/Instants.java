package dev.doyen.chaos;

/** One instant, as the wall clock and the monotonic clock show it. */
final class Instants {
    final long micros = RingMember.micros();
    final long nanos = System.nanoTime();
}
