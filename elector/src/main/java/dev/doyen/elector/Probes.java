package dev.doyen.elector;

/**
 * Answers the probes: {@code /healthz} says that the process serves, {@code /readyz} that it has something to say.
 *
 * <p>Readiness is never leadership: a follower that knows its leader is ready.
 */
public final class Probes {

    private final Elections elections;
    private final String defaultElection;

    public Probes(Elections elections, String defaultElection) {
        this.elections = elections;
        this.defaultElection = defaultElection;
    }

    public ElectorResponse answer(ElectorRequest request) {
        var path = request.path();
        if (!path.equals("/healthz") && !path.equals("/readyz")) {
            return ElectorResponse.text(404, "there is no such probe; there are /healthz and /readyz");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return ElectorResponse.text(405, "this method is not served here; use GET or HEAD")
                    .with("Allow", "GET, HEAD");
        }
        if (path.equals("/readyz") && elections.find(defaultElection).isEmpty()) {
            return ElectorResponse.text(503, "nothing is known yet about the election \"" + defaultElection + "\"");
        }
        return ElectorResponse.text(200, "ok");
    }
}
