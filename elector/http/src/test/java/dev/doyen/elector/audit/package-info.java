@NullMarked
package dev.doyen.elector.audit;

import org.jspecify.annotations.NullMarked;
