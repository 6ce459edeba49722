package dev.doyen.elector;

/** What the shell is to send: a response, a stream that goes on until the client leaves, or what comes of a deed. */
public sealed interface ElectorAnswer permits ElectorResponse, ElectorStream, Deed {

    /** One method per kind of answer, so that a case forgotten does not compile. */
    interface Cases {
        void response(ElectorResponse response);

        void stream(ElectorStream stream);

        void deed(Deed deed);
    }

    void accept(Cases cases);
}
