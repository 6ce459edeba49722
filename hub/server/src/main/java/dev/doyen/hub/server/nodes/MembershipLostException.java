package dev.doyen.hub.server.nodes;

/** Thrown if this hub must join the nodes again. The message is a sentence for clients. */
final class MembershipLostException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String sentence;

    MembershipLostException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
