package dev.doyen.elector.console;

import java.util.OptionalLong;

/**
 * One leadership, as the console displays it.
 *
 * @param fromMillis the start of the leadership in milliseconds since the epoch
 * @param toMillis the end of the leadership in milliseconds since the epoch; empty for a present leadership
 */
public record LoggedTerm(String election, String id, long term, long fromMillis, OptionalLong toMillis) {

    LoggedTerm endedAt(long millis) {
        return new LoggedTerm(election, id, term, fromMillis, OptionalLong.of(Math.max(fromMillis, millis)));
    }
}
