package dev.doyen.hub.nodes;

/** An entry of the log. */
public record Logged(LogPosition position, String text) {}
