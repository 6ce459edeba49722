package dev.doyen.elector;

/**
 * The sender of an accepted admin command.
 *
 * @param name the name of the sender, such as {@code the key "shop.server"} or {@code the admin key}
 * @param address the remote address; empty if it is unknown
 */
public record Admin(String name, String address) {}
