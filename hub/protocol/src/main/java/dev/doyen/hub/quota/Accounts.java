package dev.doyen.hub.quota;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.ratelimit.ClientNetwork;
import dev.doyen.hub.settings.Quota;
import dev.doyen.hub.settings.Quotas;
import dev.doyen.hub.wire.Quote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The accounts of all keys, clients and addresses of a hub.
 *
 * <p>The table contains each account that is in use. It also contains up to {@code maxUnused} accounts that are not in
 * use, so that a client does not get a new budget of claims and messages by connecting again. The account that has been
 * unused for the longest time is dropped first.
 */
public final class Accounts {

    private final Quotas quotas;
    private final int maxUnused;
    private final Map<String, Account> inUse = new HashMap<>();
    private final Map<String, Account> unused = new LinkedHashMap<>();

    public Accounts(Quotas quotas, int maxUnused) {
        this.quotas = quotas;
        this.maxUnused = maxUnused;
    }

    Accounts() {
        this(Quotas.DEFAULT, 0);
    }

    /**
     * Returns the usage of a new connection or request, which uses nothing yet.
     *
     * @param address the client's address; empty if the address is unknown
     */
    public Usage open(Access access, String address) {
        return new Usage(this, address, accounts(access, address));
    }

    /** Moves the usage of a connection to the accounts of its new credentials. */
    public void move(Usage usage, Access access) {
        usage.moveTo(open(access, usage.address));
    }

    /** Returns the number of accounts that are in use. */
    int count() {
        return inUse.size();
    }

    /** Returns the number of accounts that are stored without being in use. */
    int unused() {
        return unused.size();
    }

    private List<Account> accounts(Access access, String address) {
        var accounts = new ArrayList<Account>(3);
        String key = "the key " + Quote.of(access.keyName());
        accounts.add(account("key " + access.keyName(), key, quotas.key()));
        if (access.isToken()) {
            accounts.add(account(access.caller(), access.shownCaller(), quotas.client()));
            String network = ClientNetwork.of(address);
            accounts.add(account("address " + network, ClientNetwork.shown(network), quotas.address()));
        }
        return List.copyOf(accounts);
    }

    private Account account(String key, String owner, Quota quota) {
        Account known = inUse.get(key);
        if (known != null) {
            return known;
        }
        return unused.containsKey(key) ? unused.get(key) : put(new Account(key, owner, quota));
    }

    private Account put(Account account) {
        unused.put(account.key, account);
        trim();
        return account;
    }

    /** Moves an account between the two tables after its use has changed. */
    void settle(Account account) {
        if (!account.isUnused()) {
            if (inUse.put(account.key, account) == null) {
                unused.remove(account.key);
            }
        } else if (inUse.remove(account.key) != null) {
            put(account);
        }
    }

    private void trim() {
        if (unused.size() > maxUnused) {
            var oldest = unused.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }
}
