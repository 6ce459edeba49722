package dev.doyen.hub.settings;

import dev.doyen.hub.auth.AppChannels;
import dev.doyen.hub.wire.Quote;
import java.util.HashSet;
import java.util.List;

/** The rules for channels. The first rule whose pattern matches a channel applies to it. Instances are immutable. */
public record ChannelRules(List<ChannelRule> list) {

    public static final int MAX_RULES = 200;

    public static final ChannelRules NONE = new ChannelRules(List.of());

    private static final ChannelRule OTHERWISE = ChannelRule.of("*");

    /**
     * Checks the list. Throws {@link IllegalArgumentException} for too many rules or for a repeated pattern, because
     * the second rule with a pattern would never apply.
     */
    public ChannelRules {
        list = List.copyOf(list);
        if (list.size() > MAX_RULES) {
            throw new IllegalArgumentException("there are " + list.size() + " rules for channels; at most " + MAX_RULES
                    + " are allowed, because each frame is matched with all of them: combine some with a *");
        }
        var patterns = new HashSet<String>();
        for (ChannelRule rule : list) {
            if (!patterns.add(rule.pattern())) {
                throw new IllegalArgumentException("the channel " + Quote.of(rule.pattern())
                        + " has two rules; remove one, because only the first applies");
            }
        }
    }

    /** Returns rules under which only the leader may publish on these channels (rule C11). */
    public static ChannelRules fenced(String... patterns) {
        return new ChannelRules(List.of(patterns).stream()
                .map(each -> ChannelRule.of(each).fenced())
                .toList());
    }

    /**
     * Returns the rule for a channel.
     *
     * @param channel the internal name of the channel, see {@link AppChannels}
     */
    public ChannelRule of(String channel) {
        String name = AppChannels.nameOf(channel);
        for (ChannelRule rule : list) {
            if (rule.matches(name)) {
                return rule;
            }
        }
        return OTHERWISE;
    }
}
