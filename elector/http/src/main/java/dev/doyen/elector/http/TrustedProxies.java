package dev.doyen.elector.http;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The proxies whose statements about the client's address are trusted.
 *
 * <p>Threads: any.
 */
public final class TrustedProxies {

    /** Trusts no proxy. The address of a client is always the address of its socket. */
    public static final TrustedProxies NONE = new TrustedProxies(List.of(), List.of(), false);

    /** The maximum number of addresses and networks. */
    public static final int MAX_ADDRESSES = 100;

    private final List<String> addresses;
    private final List<IpSubnetFilterRule> rules;
    private final boolean proxyProtocol;

    private TrustedProxies(List<String> addresses, List<IpSubnetFilterRule> rules, boolean proxyProtocol) {
        this.addresses = List.copyOf(addresses);
        this.rules = List.copyOf(rules);
        this.proxyProtocol = proxyProtocol;
    }

    /**
     * Returns the proxies with these addresses.
     *
     * @param addresses IP addresses and networks, such as {@code 127.0.0.1}, {@code ::1} and {@code 10.0.0.0/8}
     * @param proxyProtocol true if each connection of a trusted proxy begins with a header of the PROXY protocol,
     *     version 1 or 2 (haproxy.org, "The PROXY protocol")
     * @throws IllegalArgumentException if a text is not an address or a network, if there are too many addresses, or if
     *     {@code proxyProtocol} is true and there is no address
     */
    public static TrustedProxies of(List<String> addresses, boolean proxyProtocol) {
        if (addresses.size() > MAX_ADDRESSES) {
            throw new IllegalArgumentException(
                    "the list has " + addresses.size() + " addresses; the limit is " + MAX_ADDRESSES);
        }
        if (proxyProtocol && addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "the PROXY protocol needs trusted-proxies, the addresses of the proxies that use it");
        }
        var rules = new ArrayList<IpSubnetFilterRule>();
        for (String address : addresses) {
            rules.add(rule(address));
        }
        return new TrustedProxies(addresses, rules, proxyProtocol);
    }

    private static IpSubnetFilterRule rule(String text) {
        int slash = text.indexOf('/');
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        int bits = address == null ? 0 : address.getAddress().length * Byte.SIZE;
        String prefix = slash < 0 ? Integer.toString(bits) : text.substring(slash + 1);
        if (address == null || !prefix.matches("[0-9]{1,3}") || Integer.parseInt(prefix) > bits) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an IP address or network; write it like 127.0.0.1, ::1 or 10.0.0.0/8");
        }
        return new IpSubnetFilterRule(address, Integer.parseInt(prefix), IpFilterRuleType.ACCEPT);
    }

    /** Returns the addresses and networks as the user has written them. */
    public List<String> addresses() {
        return addresses;
    }

    /** Returns true if trusted proxies begin each connection with a header of the PROXY protocol. */
    public boolean usesProxyProtocol() {
        return proxyProtocol;
    }

    /** Returns true if this address belongs to a trusted proxy. */
    public boolean trusts(InetAddress address) {
        var socket = new InetSocketAddress(address, 0);
        return rules.stream().anyMatch(rule -> rule.matches(socket));
    }

    @Override
    public String toString() {
        return "TrustedProxies[" + String.join(", ", addresses) + (proxyProtocol ? ", PROXY protocol" : "") + "]";
    }
}
