package dev.doyen.stores.quorum;

import dev.doyen.store.support.StoreUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Parses the URL of a quorum store.
 *
 * <p>If the URL contains a directory, the process is a member. Otherwise the process is a client.
 *
 * <ul>
 *   <li>{@code quorum://a:7800,b:7800,c:7800/path/to/directory?id=a}: a member
 *   <li>{@code quorum://service:7800/path/to/directory?members=3}: a member in a pod of a StatefulSet
 *   <li>{@code quorum://a:7800,b:7800,c:7800}: a client
 * </ul>
 */
final class QuorumUrl {

    private static final String MEMBER = "quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a";
    private static final String CLIENT = "quorum://a:7800,b:7800,c:7800";
    private static final Pattern NEW_MEMBER = Pattern.compile("[^:/]+:[0-9]{1,5}|\\[[0-9a-fA-F:.]+]:[0-9]{1,5}");
    private static final List<String> OF_MEMBERS = List.of("id", "members", "listen");
    private static final Set<String> PARAMETERS = Set.of("id", "members", "listen", "secret-file", "timeout-millis");

    private final StoreUrl url;
    private final Supplier<String> hostName;

    private QuorumUrl(StoreUrl url, Supplier<String> hostName) {
        this.url = url;
        this.hostName = hostName;
    }

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if the URL is invalid; the message is for users
     */
    static QuorumRole parse(String text) {
        return parse(text, QuorumUrl::ownHostName);
    }

    /**
     * Parses a URL.
     *
     * @param hostName the function that returns the name of this machine or pod
     */
    static QuorumRole parse(String text, Supplier<String> hostName) {
        var read = new QuorumUrl(parsed(text), hostName);
        return read.url.path().isEmpty() ? read.client() : read.member();
    }

    /**
     * Parses the URL of a member or a client. Returns the settings of a client. The method ignores a directory and the
     * parameters {@code id}, {@code members} and {@code listen}.
     */
    static QuorumClientSettings parseClient(String text) {
        return new QuorumUrl(parsed(text), QuorumUrl::ownHostName).asClient();
    }

    /** Parses an address: {@code host} or {@code host:port}. */
    static String address(String text) {
        List<StoreUrl.Host> hosts = StoreUrl.parse("quorum://" + text, QuorumSettings.DEFAULT_PORT, Set.of())
                .hosts();
        if (hosts.size() != 1) {
            throw new IllegalArgumentException("\"" + text + "\" is not one address; write host or host:port");
        }
        return hosts.get(0).toString();
    }

    private static StoreUrl parsed(String text) {
        StoreUrl url = StoreUrl.parse(text, QuorumSettings.DEFAULT_PORT, PARAMETERS);
        if (url.login().isPresent()) {
            throw new IllegalArgumentException(
                    "quorum: takes no user and no password; name the file with the members' secret: secret-file=/path");
        }
        return url;
    }

    private QuorumClientSettings client() {
        for (String name : OF_MEMBERS) {
            if (url.parameter(name).isPresent()) {
                throw new IllegalArgumentException("quorum: names " + name + ", so this process is a member, but no"
                        + " directory of this process; write " + MEMBER + ". A client needs neither: " + CLIENT);
            }
        }
        return asClient();
    }

    private QuorumClientSettings asClient() {
        return new QuorumClientSettings(addresses(), secret(), timeout());
    }

    private QuorumSettings member() {
        Optional<String> count = url.parameter("members");
        NamedMembers members = count.isPresent() ? pods(count.get()) : named();
        return new QuorumSettings(
                members.members(), members.self(), url.parameter("listen"), Path.of(url.path()), secret(), timeout());
    }

    private NamedMembers pods(String count) {
        if (!Set.of("3", "5", "7").contains(count)) {
            throw new IllegalArgumentException("quorum: members is \"" + count + "\"; a quorum has 3, 5 or 7 members");
        }
        if (url.hosts().size() != 1) {
            throw new IllegalArgumentException(
                    "quorum: names members=" + count + " and " + url.hosts().size()
                            + " hosts; with members= name one host, the headless Service of a StatefulSet");
        }
        Optional<String> id = url.parameter("id");
        return NamedMembers.pods(
                id.isPresent() ? "id" : "this process's host name",
                id.orElseGet(hostName),
                MemberAddress.of(addresses().get(0)),
                Integer.parseInt(count));
    }

    private NamedMembers named() {
        List<String> addresses = addresses();
        String id = url.parameter("id")
                .orElseThrow(
                        () -> new IllegalArgumentException("quorum: names a directory, so this process is a member,"
                                + " but not which one; add id, one of " + String.join(", ", addresses)
                                + ". A client needs neither: " + CLIENT));
        return new NamedMembers(addresses, member(id));
    }

    private List<String> addresses() {
        return url.hosts().stream().map(StoreUrl.Host::toString).toList();
    }

    private Duration timeout() {
        return url.millis(
                "timeout-millis",
                QuorumSettings.DEFAULT_TIMEOUT,
                QuorumSettings.MIN_TIMEOUT,
                QuorumSettings.MAX_TIMEOUT);
    }

    /**
     * Returns the address of the member with this id. The id is {@code host:port}. The host alone is sufficient if the
     * list contains exactly one member with this host. If the list does not contain the {@code host:port}, the method
     * returns it as the address of a new member.
     */
    private String member(String id) {
        List<String> meant = url.hosts().stream()
                .filter(host -> host.name().equals(id) || host.toString().equals(id))
                .map(StoreUrl.Host::toString)
                .toList();
        if (meant.isEmpty() && NEW_MEMBER.matcher(id).matches()) {
            return id;
        }
        if (meant.size() != 1) {
            throw new IllegalArgumentException("quorum: id is \"" + id + "\", which is "
                    + (meant.isEmpty() ? "not one" : meant.size()) + " of the members "
                    + String.join(", ", addresses())
                    + "; write host:port" + (meant.isEmpty() ? " if this process is to join them" : ""));
        }
        return meant.get(0);
    }

    private Optional<String> secret() {
        return url.parameter("secret-file").map(file -> {
            try {
                return Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "quorum: the secret cannot be read from " + file + ": " + e.getMessage(), e);
            }
        });
    }

    /**
     * Returns the name of this host. In a container the environment variable {@code HOSTNAME} contains the name, even
     * if DNS does not contain it yet.
     */
    private static String ownHostName() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isEmpty()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "quorum: the name of this host cannot be found; name the member that this process is: id=doyen-0",
                    e);
        }
    }
}
