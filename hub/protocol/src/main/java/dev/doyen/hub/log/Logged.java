package dev.doyen.hub.log;

/** An entry of the log. */
public record Logged(LogPosition position, String text) {}
