package dev.doyen.elector;

/**
 * An accepted admin command, which the HTTP handler must carry out.
 *
 * @param action the name of the command in the log, such as {@code resign}
 * @param by the sender
 */
public record AcceptedCommand(AdminCommand command, String action, Admin by) implements ElectorAnswer {

    @Override
    public void accept(Cases cases) {
        cases.accepted(this);
    }
}
