package dev.doyen.hub;

/** The reason why a claim ends, and the only client that may claim next. Empty if any client may. */
record Demotion(String why, String successor) {}
