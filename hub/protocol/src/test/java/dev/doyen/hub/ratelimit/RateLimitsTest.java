package dev.doyen.hub.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.settings.RestRates;
import dev.doyen.hub.wire.Refusal;
import org.junit.jupiter.api.Test;

/** Which callers the rate limiter stores, and which it drops when it is full. */
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
    void no_more_are_remembered_than_there_is_room_for() throws Refusal {
        for (int i = 0; i < 1_000; i++) {
            publish("app.k" + i);
            callers.unnamed("198.51.100." + i, nanos);
        }
        assertThat(callers.count()).isEqualTo(20);
    }

    @Test
    void ever_new_names_take_nothing_from_an_honest_caller() throws Refusal {
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
    void who_goes_on_asking_keeps_its_debt_however_many_come() throws Refusal {
        publish("app.greedy");
        publish("app.greedy");
        for (int i = 0; i < 200; i++) {
            refuses("app.greedy");
            publish("app.new" + i);
        }
    }

    @Test
    void the_longest_silent_is_forgotten_first() throws Refusal {
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
    void addresses_push_out_no_names() throws Refusal {
        publish("app.key");
        publish("app.key");
        for (int i = 0; i < 1_000; i++) {
            callers.unnamed("198.51.100." + i, nanos);
        }
        refuses("app.key");
    }

    @Test
    void where_a_name_was_seen_is_remembered_for_a_few_addresses_only() throws Refusal {
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
                .hasMessageContaining("without good credentials come from the address 198.51.100.0");
    }

    @Test
    void rates_below_the_price_of_a_guess_let_one_through_at_a_time() throws Refusal {
        var slow = new RateLimits(new RestRates(1, 1, 1, 1, 10));
        slow.misnamed(HERE, nanos);
        assertThatThrownBy(() -> slow.misnamed(HERE, nanos)).isInstanceOf(Refusal.class);
        nanos += 1_000_000_000;
        slow.misnamed(HERE, nanos);
    }

    @Test
    void draining_a_bucket_takes_what_came_since_as_well() {
        var bucket = new TokenBucket(1, 2, 0);
        assertThat(bucket.take(2, 0)).isTrue();
        bucket.drain(1, 1_000_000_000);
        assertThat(bucket.take(1, 1_999_999_999)).isFalse();
        assertThat(bucket.take(1, 2_000_000_000)).isTrue();
    }
}
