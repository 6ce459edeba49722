package dev.doyen.elector;

/** What the shell is to send: a response, or a stream that goes on until the client leaves. */
public sealed interface ElectorAnswer permits ElectorResponse, ElectorStream {

    /** One method per kind of answer, so that a case forgotten does not compile. */
    interface Cases {
        void response(ElectorResponse response);

        void stream(ElectorStream stream);
    }

    void accept(Cases cases);
}
