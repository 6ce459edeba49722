package dev.doyen.elector.console;

import java.util.OptionalLong;

/**
 * One leadership, as the console shows it.
 *
 * @param fromMillis its start in milliseconds since the epoch
 * @param toMillis its end; empty while it lasts
 */
public record LoggedTerm(String election, String id, long term, long fromMillis, OptionalLong toMillis) {

    LoggedTerm endedAt(long millis) {
        return new LoggedTerm(election, id, term, fromMillis, OptionalLong.of(Math.max(fromMillis, millis)));
    }
}
