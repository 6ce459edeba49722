package dev.doyen.hub.channel;

/** The reason why a claim ends, and the only client that may claim next. Empty if any client may. */
public record Demotion(String why, String successor) {}
