package dev.doyen.server.run.driver;

/**
 * A process that lives, as the kernel lists it. Source: proc(5).
 *
 * @param group its process group; 0 if that cannot be known here
 * @param session its session; 0 if that cannot be known here
 */
record ProcessEntry(long pid, long parent, long group, long session) {}
