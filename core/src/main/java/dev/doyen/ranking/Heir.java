package dev.doyen.ranking;

/**
 * Whom the hub keeps the office for (rule K19).
 *
 * @param clientId of the heir
 * @param former the key of who led
 * @param stopped whether who led has said so, or left
 * @param sinceNanos since when either is so
 */
record Heir(String clientId, String former, boolean stopped, long sinceNanos) {

    Heir stoppedAt(long nanos) {
        return new Heir(clientId, former, true, nanos);
    }
}
