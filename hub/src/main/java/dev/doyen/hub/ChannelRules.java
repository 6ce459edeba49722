package dev.doyen.hub;

import dev.doyen.hub.wire.Quote;
import java.util.HashSet;
import java.util.List;

/** What holds on which channels: the first rule whose pattern matches is the one. Threads: immutable. */
public record ChannelRules(List<ChannelRule> list) {

    public static final int MAX_RULES = 200;

    public static final ChannelRules NONE = new ChannelRules(List.of());

    private static final ChannelRule OTHERWISE = ChannelRule.of("*");

    /** Errors: {@link IllegalArgumentException} if there are too many, or one comes twice, of which the latter is idle. */
    public ChannelRules {
        list = List.copyOf(list);
        if (list.size() > MAX_RULES) {
            throw new IllegalArgumentException("there are " + list.size() + " rules for channels; at most " + MAX_RULES
                    + " are looked through with every frame: join some by a *");
        }
        var patterns = new HashSet<String>();
        for (ChannelRule rule : list) {
            if (!patterns.add(rule.pattern())) {
                throw new IllegalArgumentException(
                        "the channel " + Quote.of(rule.pattern()) + " has two rules; keep one, for the first counts");
            }
        }
    }

    /** Where only the leader publishes, and nothing else is special. */
    public static ChannelRules fenced(String... patterns) {
        return new ChannelRules(List.of(patterns).stream()
                .map(each -> ChannelRule.of(each).fenced())
                .toList());
    }

    ChannelRule of(String channel) {
        for (ChannelRule rule : list) {
            if (rule.matches(channel)) {
                return rule;
            }
        }
        return OTHERWISE;
    }
}
