package dev.doyen.elector;

/**
 * An admin command that the elector rejects, because its sender may not send it.
 *
 * @param action the name of the command in the log, such as {@code resign}
 * @param address the remote address of the sender; empty if it is unknown
 * @param reason the reason as a sentence for the sender
 */
public record RejectedCommand(String action, String election, String address, String reason) implements ElectorAnswer {

    /** Returns the response for the sender. */
    public ElectorResponse response() {
        return ElectorResponse.problem(403, "Forbidden", reason);
    }

    @Override
    public void accept(Cases cases) {
        cases.rejected(this);
    }
}
