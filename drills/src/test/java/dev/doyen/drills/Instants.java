package dev.doyen.drills;

/** Now, by both clocks that members tell times in. */
final class Instants {
    final long micros = RingMember.micros();
    final long nanos = System.nanoTime();
}
