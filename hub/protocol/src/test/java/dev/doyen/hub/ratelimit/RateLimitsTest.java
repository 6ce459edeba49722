package dev.doyen.hub.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.settings.RestRates;
import dev.doyen.hub.wire.Refusal;
import org.junit.jupiter.api.Test;

/** Tests which callers the rate limiter stores, and which it drops when it is full. */
class RateLimitsTest {

    private static final RestRates RATES = new RestRates(1, 2, 1, 30, 10);
    private static final String HERE = "192.0.2.1";

    private final RateLimits callers = new RateLimits(RATES);
    private long nanos = Long.MAX_VALUE - 3_000_000_000L;

    private static Access key(String name) {
        return HubKey.of(name + ":secret").access();
    }

    private void publish(String key) throws Refusal {
        callers.named(key(key), HERE, true, nanos);
    }

    private void refuses(String key) {
        assertThatThrownBy(() -> publish(key)).isInstanceOf(Refusal.class).hasMessageContaining("publishes too fast");
    }

    @Test
    void the_number_of_callers_is_limited() throws Refusal {
        for (int i = 0; i < 1_000; i++) {
            publish("app.k" + i);
            callers.unnamed("198.51.100." + i, nanos);
        }
        assertThat(callers.count()).isEqualTo(20);
    }

    @Test
    void new_names_do_not_affect_an_existing_caller() throws Refusal {
        for (int i = 0; i < 200; i++) {
            publish("app.new" + i);
            if (i % 50 == 0) {
                publish("app.honest");
                nanos += 1_000_000_000;
            }
        }
        publish("app.honest");
    }

    @Test
    void a_persistent_caller_keeps_its_debt() throws Refusal {
        publish("app.greedy");
        publish("app.greedy");
        for (int i = 0; i < 200; i++) {
            refuses("app.greedy");
            publish("app.new" + i);
        }
    }

    @Test
    void the_longest_silent_caller_is_removed_first() throws Refusal {
        publish("app.old");
        publish("app.old");
        publish("app.young");
        publish("app.young");
        for (int i = 0; i < 9; i++) {
            publish("app.new" + i);
        }
        refuses("app.young");
        publish("app.old");
    }

    @Test
    void addresses_do_not_replace_names() throws Refusal {
        publish("app.key");
        publish("app.key");
        for (int i = 0; i < 1_000; i++) {
            callers.unnamed("198.51.100." + i, nanos);
        }
        refuses("app.key");
    }

    @Test
    void the_addresses_of_a_name_are_limited() throws Refusal {
        var names = new RateLimits(new RestRates(1, 2, 100, 100, 1_000));
        for (int i = 0; i < 9; i++) {
            names.named(key("app.key"), "198.51.100." + i, false, nanos);
        }
        for (int i = 0; i < 9; i++) {
            for (int guess = 0; guess < 10; guess++) {
                names.misnamed("198.51.100." + i, nanos);
            }
        }
        for (int i = 1; i < 9; i++) {
            names.named(key("app.key"), "198.51.100." + i, false, nanos);
        }
        assertThatThrownBy(() -> names.named(key("app.key"), "198.51.100.0", false, nanos))
                .hasMessageContaining("without valid credentials come from the address 198.51.100.0");
    }

    @Test
    void rates_below_the_cost_of_a_guess_allow_one_at_a_time() throws Refusal {
        var slow = new RateLimits(new RestRates(1, 1, 1, 1, 10));
        slow.misnamed(HERE, nanos);
        assertThatThrownBy(() -> slow.misnamed(HERE, nanos)).isInstanceOf(Refusal.class);
        nanos += 1_000_000_000;
        slow.misnamed(HERE, nanos);
    }

    @Test
    void draining_a_bucket_includes_later_tokens() {
        var bucket = TokenBucket.perSecond(1, 2, 0);
        assertThat(bucket.take(2, 0)).isTrue();
        bucket.drain(1, 1_000_000_000);
        assertThat(bucket.take(1, 1_999_999_999)).isFalse();
        assertThat(bucket.take(1, 2_000_000_000)).isTrue();
    }
}
