package dev.doyen.elector;

import java.util.Optional;

/**
 * The rule that decides which clients may send admin commands. A request for the saved state counts as a command.
 *
 * <p>Threads: the elector's thread.
 */
public final class AdminAccess {

    /** Rejects all commands. The program cannot carry them out, or the user has switched them off. */
    public static final AdminAccess REFUSED = new AdminAccess(Rule.REFUSED, Optional.empty());

    /**
     * Accepts commands from this machine (in Kubernetes: from this pod) without a key.
     *
     * <p>Every process of the machine can send commands, including a proxy that forwards requests of other machines.
     * Requests with a header such as {@code X-Forwarded-For} are rejected. A proxy that adds no such header must not
     * forward requests to this port.
     */
    public static final AdminAccess LOOPBACK = new AdminAccess(Rule.LOOPBACK, Optional.empty());

    /** Accepts commands without a key from every client that can reach the port, except from web pages. */
    public static final AdminAccess ANYWHERE = new AdminAccess(Rule.ANYWHERE, Optional.empty());

    private static final String ORIGIN =
            "admin commands are not accepted from pages in a browser; send no Origin header";

    private static final AdminCheck BY_CERTIFICATE = AdminCheck.accepted("a client certificate");

    private enum Rule {
        REFUSED,
        KEY,
        LOOPBACK,
        ANYWHERE
    }

    private final Rule rule;
    private final Optional<Admins> admins;

    private AdminAccess(Rule rule, Optional<Admins> admins) {
        this.rule = rule;
        this.admins = admins;
    }

    /**
     * Returns a rule that accepts commands with a key that {@code admins} accepts. The command may come from any
     * machine.
     */
    public static AdminAccess key(Admins admins) {
        return new AdminAccess(Rule.KEY, Optional.of(admins));
    }

    /** Returns true if the rule rejects all commands. */
    public boolean rejectsAll() {
        return rule == Rule.REFUSED;
    }

    /** Returns true if the rule accepts a command only with a key or a client certificate. */
    public boolean needsKey() {
        return rule == Rule.KEY;
    }

    /**
     * Returns true if a client with this header may see everything that admins may see.
     *
     * @param authorization the {@code Authorization} header; empty if the request has none
     */
    public boolean accepts(String authorization) {
        return admins.filter(each -> each.acceptsForAll(authorization)).isPresent();
    }

    /**
     * Checks whether the sender of a request may send commands for this election.
     *
     * <p>A command without a key is rejected if it has an {@code Origin} header. A web page in a browser can also reach
     * loopback, but cannot remove this header. A browser does not add a key by itself, so a command with a key may have
     * any origin. A client certificate replaces the key.
     */
    AdminCheck check(ElectorRequest request, String election) {
        return switch (rule) {
            case REFUSED ->
                AdminCheck.rejected("this program accepts no admin commands; doyen elector and doyen hub accept them");
            case KEY -> request.hasAdminCertificate() ? BY_CERTIFICATE : checkKey(request, election);
            case LOOPBACK ->
                request.fromThisMachine()
                        ? checkOrigin(request, "a process of this machine")
                        : AdminCheck.rejected(
                                "admin commands are accepted only from this machine, under a loopback name and"
                                        + " without a proxy; use --admin-commands key to accept them from other machines");
            case ANYWHERE -> checkOrigin(request, "a client without a key");
        };
    }

    private AdminCheck checkKey(ElectorRequest request, String election) {
        return request.header("authorization")
                .map(sent -> admins.orElseThrow().check(sent, request.address(), election))
                .orElseGet(() -> AdminCheck.rejected("admin commands need a key; send the key that the program printed"
                        + " when it started (or DOYEN_ADMIN_KEY, if it is set) as Authorization: Bearer KEY"));
    }

    private static AdminCheck checkOrigin(ElectorRequest request, String sender) {
        return request.header("origin").isPresent() ? AdminCheck.rejected(ORIGIN) : AdminCheck.accepted(sender);
    }

    @Override
    public String toString() {
        return "AdminAccess[" + rule + "]";
    }
}
