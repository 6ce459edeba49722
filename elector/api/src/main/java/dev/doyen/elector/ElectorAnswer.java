package dev.doyen.elector;

/** The answer to a request: a response, a stream, or an accepted or rejected command. */
public sealed interface ElectorAnswer permits ElectorResponse, ElectorStream, AcceptedCommand, RejectedCommand {

    /** A visitor with one method for each kind of answer. The compiler reports a missing method. */
    interface Cases {
        void response(ElectorResponse response);

        void stream(ElectorStream stream);

        void accepted(AcceptedCommand command);

        void rejected(RejectedCommand command);
    }

    void accept(Cases cases);
}
