package dev.doyen.hub.ratelimit;

import java.util.ArrayList;
import java.util.List;

/**
 * Maps a client's address to the network to which the limits apply.
 *
 * <p>The network of an IPv4 address is the address itself. The network of an IPv6 address consists of its first 64
 * bits, because a provider gives each customer at least a network of this size (RFC 6177).
 */
public final class ClientNetwork {

    private static final int GROUPS = 8;
    private static final int PREFIX_GROUPS = 4;

    private ClientNetwork() {}

    /**
     * Returns the network of an address.
     *
     * @param address an address in text form, without brackets; a text without a colon is returned unchanged
     */
    public static String of(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        String plain = address.contains("%") ? address.substring(0, address.indexOf('%')) : address;
        if (plain.contains(".")) {
            // An IPv4 address in an IPv6 address, such as ::ffff:192.0.2.1 (RFC 4291, section 2.5.5).
            return plain.substring(plain.lastIndexOf(':') + 1);
        }
        int gap = plain.indexOf("::");
        List<String> left = groups(gap < 0 ? plain : plain.substring(0, gap));
        List<String> right = gap < 0 ? List.of() : groups(plain.substring(gap + 2));
        var all = new ArrayList<>(left);
        while (all.size() + right.size() < GROUPS) {
            all.add("0");
        }
        all.addAll(right);
        return String.join(":", all.subList(0, PREFIX_GROUPS)) + "::/64";
    }

    /** Returns the network for error texts. */
    public static String shown(String network) {
        if (network.isEmpty()) {
            return "unknown addresses";
        }
        return network.endsWith("/64") ? "the network " + network : "the address " + network;
    }

    private static List<String> groups(String text) {
        return text.isEmpty()
                ? List.of()
                : List.of(text.split(":", -1)).stream()
                        .map(group -> group.replaceFirst("^0+(?=.)", "").toLowerCase(java.util.Locale.ROOT))
                        .toList();
    }
}
