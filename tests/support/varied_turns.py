"""Two hundred things that people say in the course of some weeks, in no dramaturgic order: half German, half English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from novaberg.language import Language

_GERMAN: Final = """
Guten Morgen, bist du schon wach?
Ich habe schlecht geschlafen, der Nachbar hat bis drei gehämmert.
Heute fange ich in der neuen Werkstatt an.
Was ist eigentlich der Unterschied zwischen Hafer und Gerste?
Mein Meister hat mich vor allen gelobt!
Danach hat er mir den Schlüssel für die Halle gegeben.
Ich trau dem Frieden aber noch nicht ganz.
Wie viel sind 17 Prozent von 340?
Meine Schwester Jule kommt am Wochenende zu Besuch.
Sie bringt ihren Sohn mit, den habe ich ein Jahr nicht gesehen.
Erzähl mir was Lustiges.
Haha, der war gut.
Ich muss noch Steuern machen und habe null Lust.
Das Finanzamt hat mir eine Mahnung geschickt, obwohl ich bezahlt habe!
Ich bin so sauer, ich könnte schreien.
Entschuldige, du kannst ja nichts dafür.
Danke, dass du mir zuhörst.
Gestern ist mein alter Kater gestorben.
Er lag immer auf meinen Füßen, wenn ich gelesen habe.
Jetzt ist die Wohnung so still.
Glaubst du, Tiere wissen, dass sie sterben?
Ich vermisse ihn sehr.
Lass uns von etwas anderem reden.
Wann wurde die Göltzschtalbrücke gebaut?
Ich will im Herbst einen Segelkurs machen.
Ich habe ein bisschen Angst vor tiefem Wasser.
Mein Freund Anton sagt, ich soll einfach springen.
Was würdest du an meiner Stelle tun?
Schreib mir zwei Zeilen über den Wind.
Das ist schön geworden, vielen Dank!
Ich habe die Zusage für den Kurs bekommen!!!
Ich kann es kaum glauben, es waren nur acht Plätze.
Heute Abend gibt es Linsen mit Spätzle.
Ich habe die Linsen anbrennen lassen.
Meine Mutter ruft nie zurück.
Es ist ihr wohl egal, wie es mir geht.
Ich bin enttäuscht von ihr, mal wieder.
Eben hat sie doch angerufen, und wir haben gelacht.
Mir fällt ein Stein vom Herzen.
Kannst du mir erklären, wie ein Kompass funktioniert?
Und warum zeigt er nicht genau nach Norden?
Faszinierend, darüber will ich mehr wissen.
Du nervst mich gerade.
Du verstehst überhaupt nichts!
Tut mir leid, das war ungerecht von mir.
Ich hatte einen schlimmen Tag, der Chef hat mich angebrüllt.
Alle haben weggesehen.
Ich weiß nicht, ob ich da noch hin will.
Soll ich kündigen?
Ich schlafe eine Nacht darüber.
Guten Abend, da bin ich wieder.
Stell dir vor, der Chef hat sich entschuldigt.
Damit hätte ich im Leben nicht gerechnet.
Er hat mir sogar einen freien Tag geschenkt.
Morgen gehe ich mit Jule wandern.
Hoffentlich regnet es nicht.
Wir haben uns verlaufen und eine Burg gefunden!
Der Ausblick war atemberaubend.
Meine Knie tun weh, aber ich bin zufrieden.
Was denkst du über das Altwerden?
Manchmal frage ich mich, wozu das alles gut ist.
Ist Zeit etwas, das fließt, oder bilden wir uns das ein?
Das hat mich wirklich weitergebracht.
Anton hat unser Treffen abgesagt, zum dritten Mal.
So langsam reicht es mir.
Vielleicht liegt es an mir.
Wie heißt meine Schwester noch mal?
Genau, und worauf freue ich mich im Herbst?
Du hast ein gutes Gedächtnis.
Ich habe Jule versprochen, ihr beim Umzug zu helfen.
Sie zieht nach Lissabon.
Ich freue mich für sie und bin trotzdem traurig.
Was heißt "Schiff" auf Portugiesisch?
Am Montag habe ich einen Termin beim Zahnarzt.
Ich zittere jetzt schon.
Es war halb so wild, er hat nur geguckt.
Nenn mir drei Ideen für ein Abschiedsgeschenk.
Die zweite gefällt mir.
Ich bin erschöpft, alles ist zu viel gerade.
Das Geld reicht diesen Monat nicht.
Ich weiß nicht mehr weiter.
Ich habe niemanden, den ich fragen kann.
Gut, ich rufe morgen bei der Beratung an.
Die Frau dort war so freundlich, ich hätte heulen können.
Es gibt einen Plan, wir schaffen das.
Sag mal, bist du eigentlich ein Mensch?
Hast du Gefühle?
Ich finde es seltsam, mit einem Programm zu reden.
Aber es tut mir gut.
Im Hof blühen die Kastanien.
Ein Specht hat mich um fünf geweckt, unverschämt.
Wusstest du, dass Spechte keine Kopfschmerzen bekommen?
Kannst du dir merken, dass ich keine Pilze mag?
Heute hatte ich Prüfung im Schweißen.
Ich habe bestanden, mit Auszeichnung!
Ich bin stolz wie Bolle.
Mein Neffe will jetzt auch Schweißer werden.
Ich bin dir dankbar für die letzten Wochen.
Ich muss los, der Bus kommt.
Bis morgen, schlaf gut!
"""

_ENGLISH: Final = """
Hi there, how are you today?
I just moved into a flat above a bakery.
It smells of bread from four in the morning.
The landlord promised new windows and now he denies it.
I'm furious, he lied straight to my face!
Sorry, I needed to get that out.
How do I write a formal complaint?
Why is bread sour when it is made with sourdough?
That's really interesting, tell me more.
My brother Sam hasn't spoken to me since Christmas.
I miss our stupid jokes.
Maybe I should have apologised first.
What would you do?
Okay, I wrote him a message.
He answered within a minute!
I didn't see that coming at all.
We are meeting on Sunday, I'm so excited!
I'm also a bit nervous.
Thank you for pushing me.
What's 12 times 19?
Tell me a joke.
That was terrible, haha.
Work was dull, just forms and more forms.
My colleague took credit for my report.
Nobody even noticed.
I'm so disappointed in my boss.
I feel invisible there.
Do you think I should look for another job?
I applied to a botanical garden.
Plants don't steal your reports.
They invited me to an interview!!!
I have no idea what to wear.
My hands were shaking, but I think it went well.
Now comes the waiting, I hate waiting.
They said no.
I cried in the car park.
I really thought this was it.
Leave me alone for a while.
Okay, I'm back.
A walk by the river helped.
I saw a heron catch a fish as long as my arm!
Write me a short poem about the heron.
That's lovely.
Who invented the greenhouse?
My neighbour Mrs Patel brought me soup.
People can be so kind.
She told me about growing up in Nairobi.
I could have listened for hours.
What is the capital of Kenya?
The doctor called about my test results.
I'm scared of what she will say.
I can't stop thinking about it.
Everything is fine!
I feel as light as a feather.
You don't get it, do you?
You're useless.
I'm sorry, I was mean.
I guess I was just tired.
Is it strange to talk to a machine every evening?
Do you ever get bored?
What do you know about me?
Sam's birthday is next week.
Give me three ideas for a present.
I like the kite best.
We flew it on the beach and it tore in two.
We laughed until it hurt.
Grandpa is in hospital.
He didn't recognise me.
It breaks my heart.
He taught me how to whistle.
I don't know how to help Mum.
She won't stop cleaning the kitchen.
He woke up today and asked for tea!
I can hardly believe it.
I'm so grateful to the nurses.
Could you explain what a stroke does to the brain?
Can people really relearn everything?
That gives me hope.
The bakery downstairs is closing down.
I will miss that smell.
Why do good things always end?
Is there such a thing as a fair price?
I read that bees can count to four.
Does a number exist if nobody counts?
My bike got stolen from right in front of the house.
Unbelievable, in broad daylight!
The police just shrugged.
I'm fed up with this city.
Someone returned my bike with a note saying sorry!
I don't know what to say.
I bought a second-hand guitar.
My fingers hurt and I can play one song.
Mrs Patel banged on the wall, then she sang along.
Please keep your answers short from now on.
I got offered a place at a tree nursery.
I start in March!
I'm proud of myself for once.
Remind me, what was the name of my neighbour?
You have been a good listener.
Good night, talk to you tomorrow.
"""

VARIED_TURNS: Final[Mapping[Language, tuple[str, ...]]] = {
    "de": tuple(_GERMAN.strip().splitlines()),
    "en": tuple(_ENGLISH.strip().splitlines()),
}
