package dev.doyen.hub.channel;

/**
 * The reason why a claim ends, and the only client that may claim next. The successor is empty if the slot is reserved
 * for no client.
 */
public record Demotion(String why, String successor) {}
