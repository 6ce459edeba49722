package dev.doyen.hub.server.console;

import java.util.function.Predicate;

/**
 * A viewer of a hub's console.
 *
 * @param maySendCommands returns true for the channels on which the viewer may send admin commands
 * @param filter the channels and members that the viewer searches for
 */
public record ConsoleViewer(Predicate<String> maySendCommands, ConsoleFilter filter) {}
