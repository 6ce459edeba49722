package dev.doyen.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store answers, but rejects the request because this process lacks a right.
 *
 * <p>The store rejects the same request again until somebody changes the rights or the credentials. Any other failure
 * of a store counts as temporary.
 */
public final class StoreRefusedException extends StoreUnavailableException {

    private final String refusal;
    private final String remedy;

    /**
     * Creates an exception whose message contains the refusal and the remedy.
     *
     * @param refusal the rejected request and the missing right, as a sentence for people; without credentials
     * @param remedy what an operator must do, as a sentence for people
     */
    public StoreRefusedException(String refusal, String remedy, @Nullable Throwable cause) {
        super(refusal + "; " + remedy, cause);
        this.refusal = refusal;
        this.remedy = remedy;
    }

    /** Returns the rejected request and the missing right, as a sentence for people. */
    public String refusal() {
        return refusal;
    }

    /** Returns what an operator must do, as a sentence for people. */
    public String remedy() {
        return remedy;
    }
}
