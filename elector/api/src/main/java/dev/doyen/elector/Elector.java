package dev.doyen.elector;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers the elector API: {@code /}, {@code /sse}, {@code /isLeader} and {@code /v1}.
 *
 * <p>The response of {@code /} is never an error, and always contains all fields, because many clients treat an error
 * as "you lead". If no leader is known, the name is empty. No candidate has an empty name.
 *
 * <p>Threads: one thread at a time. The class reads no clock.
 */
public final class Elector {

    static final Duration MIN_HEARTBEAT = Duration.ofSeconds(1);
    static final Duration MAX_HEARTBEAT = Duration.ofMinutes(5);
    static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(15);
    static final int RETRY_MILLIS = 2_000;

    /** An error message repeats at most this many characters of a name in a request. */
    static final int MAX_ECHOED_LENGTH = 100;

    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,4})s");

    private final Elections elections;
    private final ElectorSettings settings;
    private final Announcements announcements;
    private final VersionOne versionOne;

    public Elector(Elections elections, ElectorSettings settings) {
        this.elections = elections;
        this.settings = settings;
        this.announcements = new Announcements(settings);
        this.versionOne = new VersionOne(elections, settings, announcements);
    }

    /**
     * Answers one request.
     *
     * @param now the time that the response contains if the state of the election was never confirmed
     */
    public ElectorAnswer answer(ElectorRequest request, Instant now) {
        var path = request.path();
        if (VersionOne.has(path)) {
            return versionOne.answer(request);
        }
        return switch (path) {
            case "/sse" -> plainStream(request, now);
            case "/isLeader" -> isLeader(request, now);
            default -> leaderName(200, defaultElection(now));
        };
    }

    /**
     * Returns the answer after an internal fault.
     *
     * <p>The answer of {@code /} reports that no leader is known. The answer of other resources is an error, after
     * which clients retry.
     */
    public static ElectorResponse afterFault(ElectorRequest request, Instant now) {
        return canFail(request.path())
                ? unavailable("the request failed because of an internal fault; see the log")
                : unknownLeader(now);
    }

    /** Returns the answer to a request that the client should send again later. */
    static ElectorResponse unavailable(String sentence) {
        return ElectorResponse.problem(503, "Service Unavailable", sentence)
                .with("Retry-After", Integer.toString(RETRY_MILLIS / 1_000));
    }

    /**
     * Rejects a request from this machine that names a foreign domain as its Host.
     *
     * <p>A request for {@code /} is not rejected, because its response is never an error. The response reports that no
     * leader is known.
     */
    public static ElectorResponse foreignHost(ElectorRequest request, Instant now) {
        return canFail(request.path())
                ? ElectorResponse.problem(
                        421,
                        "Misdirected Request",
                        "the request comes from this machine, but its Host header is a domain name; use localhost or"
                                + " 127.0.0.1 in the address")
                : unknownLeader(now);
    }

    /**
     * Records a change, and returns the announcement for the streams.
     *
     * <p>The result is empty if {@code view} contains no change, or is older than the latest announcement.
     */
    public Optional<Announcement> changed(ElectionView view) {
        return announcements.add(view);
    }

    private static boolean canFail(String path) {
        return path.equals("/sse") || path.equals("/isLeader") || VersionOne.has(path);
    }

    private static ElectorResponse unknownLeader(Instant now) {
        return ElectorResponse.json(200, ElectionJson.leaderName("", now));
    }

    private ElectionView defaultElection(Instant now) {
        return elections
                .find(settings.defaultElection())
                .orElseGet(() -> new ElectionView(settings.defaultElection(), Optional.empty(), 0, now, now));
    }

    private static ElectorResponse leaderName(int status, ElectionView view) {
        return VersionOne.fenced(
                ElectorResponse.json(status, ElectionJson.leaderName(view.leaderIdOrEmpty(), view.lastUpdate())),
                view.leader());
    }

    private ElectorAnswer isLeader(ElectorRequest request, Instant now) {
        var id = request.parameter("id");
        if (id.isEmpty() || id.get().isEmpty()) {
            return ElectorResponse.problem(
                    400, "Bad Request", "the query parameter id is missing; ask /isLeader?id=NAME");
        }
        var view = defaultElection(now);
        boolean leads = view.leader().isPresent() && view.leader().get().id().equals(id.get());
        return leaderName(leads ? 200 : 409, view);
    }

    private ElectorAnswer plainStream(ElectorRequest request, Instant now) {
        var heartbeat = heartbeatOf(request);
        if (heartbeat.isEmpty()) {
            return badHeartbeat(request);
        }
        var view = announcements.latest(defaultElection(now));
        var first = Announcements.plainBlock(ElectionJson.leaderName(view.leaderIdOrEmpty(), view.lastUpdate()));
        return new ElectorStream(settings.defaultElection(), ElectorStream.Dialect.PLAIN, first, heartbeat.get());
    }

    /** Returns the heartbeat interval of a stream; empty if the request has an invalid interval. */
    static Optional<Duration> heartbeatOf(ElectorRequest request) {
        Optional<String> requested = request.parameter("heartbeat");
        if (requested.isEmpty()) {
            return Optional.of(DEFAULT_HEARTBEAT);
        }
        var matcher = SECONDS.matcher(requested.get());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var heartbeat = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
        boolean inBounds = heartbeat.compareTo(MIN_HEARTBEAT) >= 0 && heartbeat.compareTo(MAX_HEARTBEAT) <= 0;
        return inBounds ? Optional.of(heartbeat) : Optional.empty();
    }

    static ElectorResponse badHeartbeat(ElectorRequest request) {
        String text = request.parameter("heartbeat").orElse("");
        return ElectorResponse.problem(
                400,
                "Bad Request",
                "heartbeat (" + shortened(text) + ") must be whole seconds from " + MIN_HEARTBEAT.toSeconds() + "s to "
                        + MAX_HEARTBEAT.toSeconds() + "s, like 15s");
    }

    static String shortened(String text) {
        return text.length() <= MAX_ECHOED_LENGTH ? text : text.substring(0, MAX_ECHOED_LENGTH) + "...";
    }
}
