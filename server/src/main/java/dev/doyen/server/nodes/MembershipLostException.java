package dev.doyen.server.nodes;

/** This hub is no node any more, until it joins again. With a sentence for clients. */
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
