"""The search page in a browser: from a server and from a file, by keyboard, without scripts."""

from __future__ import annotations

import pytest
from kinds import slow_but

pytestmark = pytest.mark.browser


def first(page) -> str:
    return page.locator("#search-results a").first.get_attribute("href")


@pytest.mark.parametrize("from_file", slow_but(bool, [False, True]), ids=["served", "from a file"])
def test_an_address_with_a_question_shows_the_answer(page_at, site, from_file):
    page = page_at()
    page.goto(f"{site.as_uri()}/search.html?q=0.044715" if from_file else "search.html?q=0.044715")
    assert page.get_by_label("Words, names or numbers").input_value() == "0.044715"
    assert "found" in page.get_by_role("status").inner_text()
    assert first(page) == "book/tanh-constant.html"
    assert page.locator("#search-results mark").first.inner_text() == "0.044715"
    page.locator("#search-results a").first.click()
    page.wait_for_url("**/book/tanh-constant.html", wait_until="commit")


def test_the_answer_follows_the_typing_and_the_keyboard_is_enough(page_at):
    page = page_at(360, "dark")
    page.goto("search.html")
    page.keyboard.type("alternation")  # the field has the focus
    assert first(page) == "book/minimax.html#a-test-for-the-best"
    page.keyboard.press("Tab")  # the button
    page.keyboard.press("Tab")  # the first answer
    page.keyboard.press("Enter")
    page.wait_for_url("**/book/minimax.html#a-test-for-the-best", wait_until="commit")


OTHER_LANGUAGES = [("激活函数", "book/zh.html"), ("活性化関数", "book/ja.html")]


@pytest.mark.parametrize(
    ("question", "best"), slow_but(lambda asked: "ja" in asked[1], OTHER_LANGUAGES)
)
def test_a_word_of_another_language_finds_its_page(page_at, question, best):
    page = page_at()
    page.goto("search.html")
    page.get_by_label("Words, names or numbers").fill(question)
    assert first(page) == best
    assert question in page.locator("#search-results mark").all_inner_texts()


def test_more_answers_are_shown_and_enter_asks_again_under_an_address_that_can_be_kept(page_at):
    page = page_at()
    page.goto("search.html?q=error")
    assert page.locator("#search-results > li").count() == 20
    page.get_by_role("button", name="Show more").click()
    assert page.locator("#search-results > li").count() == 40
    assert page.evaluate("document.activeElement.closest('li').previousElementSibling !== null")
    page.get_by_label("Words, names or numbers").fill("Mills")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=Mills")
    assert first(page) == "book/left-tail.html#mills-ratio"


def test_a_question_without_an_answer_says_so_and_is_never_markup(page_at):
    page = page_at()
    page.goto("search.html?q=zzzz")
    assert page.get_by_role("status").inner_text() == "Nothing in the book has “zzzz”."
    page.get_by_label("Words, names or numbers").fill("alternation zzzz")
    assert page.get_by_role("status").inner_text().startswith("No place has all of these words.")
    page = page_at()
    page.goto("search.html?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+erf")
    assert page.locator("article img").count() == 0


def test_without_scripts_the_page_leads_to_the_index(page_at):
    page = page_at(java_script_enabled=False)
    page.goto("search.html")
    assert not page.get_by_label("Words, names or numbers").is_visible()
    page.locator("noscript a", has_text="index").click()
    page.wait_for_url("**/genindex.html", wait_until="commit")
