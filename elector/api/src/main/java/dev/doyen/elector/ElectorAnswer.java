package dev.doyen.elector;

/** The answer to a request: a response, an event stream, or an admin command to carry out. */
public sealed interface ElectorAnswer permits ElectorResponse, ElectorStream, AdminCommand {

    /** A visitor with one method for each kind of answer. The compiler reports a missing method. */
    interface Cases {
        void response(ElectorResponse response);

        void stream(ElectorStream stream);

        void command(AdminCommand command);
    }

    void accept(Cases cases);
}
