package dev.doyen.elector;

/**
 * The settings of an elector.
 *
 * @param defaultElection the election of {@code /}, {@code /sse} and {@code /isLeader}
 * @param series a word that differs at each start of the process, so that event ids of different runs differ: letters
 *     and digits, at most {@value #MAX_SERIES_LENGTH}
 * @param historyLength how many announcements of one election can be replayed
 * @param adminAccess whose admin commands are accepted
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

    /** Settings that accept no admin commands. */
    public static ElectorSettings of(String defaultElection, String series) {
        return of(defaultElection, series, AdminAccess.REFUSED);
    }

    public static ElectorSettings of(String defaultElection, String series, AdminAccess adminAccess) {
        return new ElectorSettings(defaultElection, series, DEFAULT_HISTORY_LENGTH, adminAccess);
    }
}
