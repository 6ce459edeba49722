package dev.doyen.chaos;

/** The current time on both clocks that members use. */
final class Instants {
    final long micros = RingMember.micros();
    final long nanos = System.nanoTime();
}
