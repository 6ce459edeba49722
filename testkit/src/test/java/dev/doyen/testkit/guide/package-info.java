/** What docs/guide/testing-your-code.md shows. */
@NullMarked
package dev.doyen.testkit.guide;

import org.jspecify.annotations.NullMarked;
