package dev.doyen.elector;

/**
 * The settings of an elector.
 *
 * @param defaultElection the name of the election of {@code /}, {@code /sse} and {@code /isLeader}
 * @param series a word of at most {@value #MAX_SERIES_LENGTH} letters and digits. The word differs at each start of the
 *     process, so that event ids of different runs differ
 * @param historyLength the maximum number of announcements of one election that a stream can receive again
 * @param adminAccess the rule that decides which clients may send admin commands
 */
public record ElectorSettings(String defaultElection, String series, int historyLength, AdminAccess adminAccess) {

    static final int MAX_SERIES_LENGTH = 32;
    static final int MAX_HISTORY_LENGTH = 10_000;
    private static final int DEFAULT_HISTORY_LENGTH = 64;

    public ElectorSettings {
        if (defaultElection.isEmpty()) {
            throw new IllegalArgumentException(
                    "defaultElection must not be empty; name the election that / answers for");
        }
        if (!series.matches("[A-Za-z0-9]{1," + MAX_SERIES_LENGTH + "}")) {
            throw new IllegalArgumentException(
                    "series (" + series + ") must be 1 to " + MAX_SERIES_LENGTH + " letters and digits");
        }
        if (historyLength < 1 || historyLength > MAX_HISTORY_LENGTH) {
            throw new IllegalArgumentException(
                    "historyLength (" + historyLength + ") must be from 1 to " + MAX_HISTORY_LENGTH);
        }
    }

    /** Returns settings with which the elector accepts no admin commands. */
    public static ElectorSettings of(String defaultElection, String series) {
        return of(defaultElection, series, AdminAccess.REFUSED);
    }

    public static ElectorSettings of(String defaultElection, String series, AdminAccess adminAccess) {
        return new ElectorSettings(defaultElection, series, DEFAULT_HISTORY_LENGTH, adminAccess);
    }
}
