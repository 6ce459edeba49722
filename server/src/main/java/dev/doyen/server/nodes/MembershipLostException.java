package dev.doyen.server.nodes;

/** This hub is no node any more, until it joins again. Its message is a sentence for clients. */
final class MembershipLostException extends Exception {

    private static final long serialVersionUID = 1L;

    MembershipLostException(String sentence) {
        super(sentence);
    }
}
