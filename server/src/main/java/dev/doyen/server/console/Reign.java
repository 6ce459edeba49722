package dev.doyen.server.console;

import java.util.OptionalLong;

/**
 * One stretch of leading.
 *
 * @param fromMillis since when, in milliseconds since the epoch
 * @param toMillis until when; empty while it lasts
 */
record Reign(String election, String id, long term, long fromMillis, OptionalLong toMillis) {

    Reign endedAt(long millis) {
        return new Reign(election, id, term, fromMillis, OptionalLong.of(Math.max(fromMillis, millis)));
    }
}
